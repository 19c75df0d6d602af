//! Skills about meals.

use a2a_sdk::File;
use a2a_tests_desk as desk;

/// Shows the menu.
#[a2a_sdk::skill(agent = desk::Concierge, output_modes = ["application/pdf"])]
pub async fn menu() -> File {
    File::new("menu.pdf", "application/pdf", "soup")
}

/// Orders a meal.
#[a2a_sdk::skill(agent = desk::travel)]
pub async fn order(text: String) -> String {
    text
}
