//! How often each branch of the other read endpoints occurred.

use serde_json::Value;

use super::super::answer::Request;
use super::super::request::one;
use super::distribution::Distribution;

impl Distribution {
    /// The branches that a run over the other read endpoints should reach.
    pub(crate) const READS: [&str; 34] = [
        "companies: page past the end",
        "companies: several",
        "companies: nothing",
        "connections: several",
        "network: coverage derived",
        "network: coverage none",
        "network: coverage synced",
        "network: intro shown",
        "network: outside",
        "network: signals",
        "network: withheld",
        "opportunities: asked by request alone",
        "opportunities: dismissed",
        "opportunities: no best path",
        "opportunities: several",
        "opportunities: with best path",
        "paged: more to come",
        "paged: past the end",
        "people: found by email",
        "people: first and second degree",
        "people: intro shown",
        "people: known by nobody",
        "people: several members know one",
        "person: first degree, scored",
        "person: first degree, unscored",
        "person: intro shown",
        "person: outside",
        "person: second degree",
        "person: signals",
        "second degree: capped",
        "second degree: not a contact",
        "second degree: several",
        "second degree: unscored",
        "second degree: via one connector",
    ];

    /// Counts what a request and its answer touch; warm paths are counted elsewhere.
    pub(crate) fn note_read(&mut self, request: &Request, answer: Option<&Value>) {
        let data = answer.map(|body| &body["data"]);
        match request.path.strip_prefix("/api/v1/").unwrap() {
            "search/warm-paths" => {}
            "search/people" => self.note_people(request, data.unwrap()),
            "search/companies" => self.note_companies(answer.unwrap()),
            "connections" => {
                self.note_page(data.unwrap());
                self.note_if(has_several(&data.unwrap()["connections"]), "connections: several");
            }
            "connections/second-degree" => self.note_second_degree(request, data),
            "people/network" => self.note_network(data),
            "ghost/opportunities" => self.note_opportunities(data.unwrap()),
            _ => self.note_person(data),
        }
    }

    fn note_page(&mut self, data: &Value) {
        self.note_if(data["hasMore"] == true, "paged: more to come");
        self.note_if(data["returnedCount"] == 0 && data["totalCount"] != 0, "paged: past the end");
    }

    fn note_person(&mut self, data: Option<&Value>) {
        let Some(person) = data else { return self.note("person: outside") };
        let scored = person.get("warmness").is_some();
        self.note(match (person["degree"] == "first", scored) {
            (true, true) => "person: first degree, scored",
            (true, false) => "person: first degree, unscored",
            (false, _) => "person: second degree",
        });
        self.note_if(person.get("warmnessSignals").is_some(), "person: signals");
        self.note_if(person.get("introRequested").is_some(), "person: intro shown");
    }

    fn note_people(&mut self, request: &Request, data: &Value) {
        let people = data.as_array().unwrap();
        let any = |test: &dyn Fn(&Value) -> bool| people.iter().any(test);
        let known_by = |person: &Value| person["knownByUserIds"].as_array().unwrap().len();
        let both = any(&|person| person["degree"] == "first") && any(&|person| person["degree"] == "second");
        self.note_if(both, "people: first and second degree");
        self.note_if(any(&|person| known_by(person) > 1), "people: several members know one");
        self.note_if(any(&|person| known_by(person) == 0), "people: known by nobody");
        self.note_if(any(&|person| person.get("introRequested").is_some()), "people: intro shown");
        let by_email = one(&request.params, "q").unwrap().contains('@') && !people.is_empty();
        self.note_if(by_email, "people: found by email");
    }

    fn note_companies(&mut self, body: &Value) {
        self.note_if(has_several(&body["data"]), "companies: several");
        self.note_if(body["totalPages"] == 0, "companies: nothing");
        let past_the_end = body["data"].as_array().unwrap().is_empty() && body["totalCount"] != 0;
        self.note_if(past_the_end, "companies: page past the end");
    }

    fn note_second_degree(&mut self, request: &Request, data: Option<&Value>) {
        let Some(data) = data else { return self.note("second degree: not a contact") };
        self.note_page(data);
        let shown = &data["connections"];
        self.note_if(data["capped"] == true, "second degree: capped");
        self.note_if(has_several(shown), "second degree: several");
        let unscored = shown.as_array().unwrap().iter().any(|entry| entry.get("warmness").is_none());
        self.note_if(unscored, "second degree: unscored");
        let via = one(&request.params, "viaConnectorId").is_some();
        self.note_if(via, "second degree: via one connector");
    }

    fn note_network(&mut self, data: Option<&Value>) {
        let Some(data) = data else { return self.note("network: outside") };
        self.note_page(data);
        self.note(&format!("network: coverage {}", data["coverage"].as_str().unwrap()));
        self.note_if(data["excludedIntroRequested"] != 0, "network: withheld");
        let shown = data["connections"].as_array().unwrap();
        let shows = |name: &str| shown.iter().any(|entry| entry.get(name).is_some());
        self.note_if(shows("introRequested"), "network: intro shown");
        self.note_if(shows("warmnessSignals"), "network: signals");
    }

    fn note_opportunities(&mut self, data: &Value) {
        self.note_page(data);
        let shown = &data["opportunities"];
        self.note_if(has_several(shown), "opportunities: several");
        for entry in shown.as_array().unwrap() {
            let best_path = entry.get("bestPath").is_some();
            self.note(if best_path {
                "opportunities: with best path"
            } else {
                "opportunities: no best path"
            });
            self.note_if(entry["status"] == "dismissed", "opportunities: dismissed");
            let asked = entry["introRequested"] == true && entry["status"] != "intro_requested";
            self.note_if(asked, "opportunities: asked by request alone");
        }
    }
}

fn has_several(list: &Value) -> bool {
    list.as_array().unwrap().len() > 1
}
