//! The reasons why people fit are the same for an agent as for a caller of the API.

use serde_json::json;

use super::Both;

impl Both<'_> {
    /// Why people fit, as far as an answer has room for them.
    pub(super) async fn explained(&self, words: &str) {
        let asked = json!({ "description": words, "explain": true, "limit": 10 });
        let agents = self.agent.data("search_network", asked).await;
        let body = json!({ "query": words, "limit": 10, "include": ["understood"] });
        let apis =
            self.agent.served.post("/api/v1/search/network", &self.agent.credential, &body).await.json();
        let (mine, theirs) =
            (agents["understood"].as_array().unwrap(), apis["meta"]["understood"].as_array().unwrap());
        assert_eq!(mine.len(), theirs.len(), "{words}");
        let names = ["term", "kind", "negated", "past", "people"].map(|name| (name, name));
        let names = [&names[..], &[("read_as", "readAs"), ("widened_to", "widenedTo")]].concat();
        mine.iter().zip(theirs).for_each(|(mine, theirs)| self.fields(words, mine, theirs, &names));
        self.same(words, &agents["counts"], &apis["meta"]["counts"]);
        let (mine, theirs) = (agents["people"].as_array().unwrap(), apis["data"].as_array().unwrap());
        assert!(mine.len() == theirs.len() || agents["complete"] == false, "{words}");
        for (mine, theirs) in mine.iter().zip(theirs) {
            self.firsts(words, &mine["matched"], &theirs["matched"], 12);
        }
    }
}
