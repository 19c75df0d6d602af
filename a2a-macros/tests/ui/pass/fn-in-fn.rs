fn main() {
    /// Prices a trip.
    #[a2a_sdk::skill]
    async fn price(text: String) -> String {
        text
    }

    {
        /// Plans trips.
        #[a2a_sdk::agent(skills = [price])]
        async fn travel(text: String) -> String {
            price(text).await
        }

        let _ = travel::agent();
    }

    /// Has no free text.
    #[a2a_sdk::agent]
    struct Desk;

    let _ = Desk::agent();
}
