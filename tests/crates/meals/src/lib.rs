//! Skills about meals, in a crate that knows the SDK through another one alone.

use a2a_tests_desk as desk;
use desk::sdk::{File, skill};

/// Shows the menu.
#[skill(crate = desk::sdk, agent = desk::Concierge, output_modes = ["application/pdf"])]
pub async fn menu() -> File {
    File::new("menu.pdf", "application/pdf", "soup")
}

/// Orders a meal.
#[skill(crate = desk::sdk, agent = desk::travel)]
pub async fn order(text: String) -> String {
    text
}
