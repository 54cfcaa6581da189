//! Ghost opportunities.

use std::cmp::Reverse;

use serde_json::{Map, Value};

use super::network::{Network, Opportunity};
use super::request::{Caller, Params, one, page};
use super::rules::Mistake;
use super::show::{Fields, timestamp};
use super::text::plain;

impl Network {
    /// The expected `data` of `GET /api/v1/ghost/opportunities`. Dismissed ones are left out unless `status` requests
    /// them.
    pub(crate) fn ghost_opportunities(&self, caller: &Caller, params: &Params) -> Value {
        let own_companies = self.own_companies(caller);
        let wanted_status = |status: &str| match one(params, "status") {
            Some(wanted) => status == wanted,
            None => status != "dismissed" || self.rules.make(Mistake::DismissedStayActive),
        };
        let elsewhere = |it: &Opportunity| {
            let company = &self.people[&it.prospect_id].company_id;
            company.as_ref().is_none_or(|company| !own_companies.contains(company))
        };
        let mut found: Vec<&Opportunity> = self
            .opportunities
            .iter()
            .filter(|it| wanted_status(&it.status) && elsewhere(it))
            .filter(|it| one(params, "search").is_none_or(|text| self.prospect_has(it, &plain(text))))
            .collect();

        found.sort_by_key(|it| it.id.clone());
        match one(params, "sort") {
            Some("oldest") => found.sort_by_key(|it| it.discovered_at),
            Some("relevancy") => {
                let score = |it: &Opportunity| it.overall_score.as_f64().unwrap();
                found.sort_by(|a, b| score(b).total_cmp(&score(a)));
            }
            _ if self.rules.make(Mistake::NewestTiesDescend) => {
                found.sort_by_key(|it| Reverse((it.discovered_at, it.id.clone())));
            }
            _ => found.sort_by_key(|it| Reverse(it.discovered_at)),
        }
        let (shown, envelope) = page(params, found.into_iter().map(|it| self.show_opportunity(it)).collect());
        Fields::new().put("opportunities", shown).and(envelope).done()
    }

    /// The organization's company, and for a user token also the user's current company.
    fn own_companies(&self, caller: &Caller) -> Vec<String> {
        let user_company = match caller {
            Caller::User(user) if !self.rules.make(Mistake::UsersCompanyNotExcluded) => {
                self.people[&self.members[user].person_id].company_id.clone()
            }
            _ => None,
        };
        self.organization_company.clone().into_iter().chain(user_company).collect()
    }

    /// Whether plain text is in the prospect's name, company or position.
    fn prospect_has(&self, opportunity: &Opportunity, wanted: &str) -> bool {
        let prospect = &self.people[&opportunity.prospect_id];
        let texts = [Some(prospect.name.clone()), self.company_name(prospect), prospect.position.clone()];
        texts.into_iter().flatten().any(|text| plain(&text).contains(wanted))
    }

    fn show_opportunity(&self, it: &Opportunity) -> Value {
        let asked = it.status == "intro_requested" || self.intro_request(&it.prospect_id).is_some();
        let discoverer = &self.people[&self.members[&it.discovered_by].person_id];
        let discovered_by =
            Fields::new().put("id", it.discovered_by.clone()).put("name", discoverer.name.clone());
        let mut fields = Fields::new()
            .put("id", it.id.clone())
            .put("prospect", self.person_with_handle(&self.people[&it.prospect_id]).done())
            .put("overallScore", Value::Number(it.overall_score.clone()))
            .put("status", it.status.clone())
            .put("introRequested", asked)
            .put("discoveredAt", timestamp(it.discovered_at))
            .put("discoveredBy", discovered_by.done())
            .maybe("bestPath", self.best_path(it));
        for (name, value) in &it.optional {
            fields = fields.put(name, value.clone());
        }
        fields.done()
    }

    /// The strongest path whose connector is not a member; of equally strong ones the first given.
    fn best_path(&self, opportunity: &Opportunity) -> Option<Value> {
        let strength = |path: &Map<String, Value>| path["strengthScore"].as_f64().unwrap();
        let members_too = self.rules.make(Mistake::BestPathThroughMembers);
        let mut best: Option<&Map<String, Value>> = None;
        for path in &opportunity.paths {
            let is_member = self.member_of_person(path["connectionId"].as_str().unwrap()).is_some();
            let stronger = best.is_none_or(|held| strength(path) > strength(held));
            if stronger && (members_too || !is_member) {
                best = Some(path);
            }
        }
        let path = best?;
        let connector = &self.people[path["connectionId"].as_str().unwrap()];
        let own_warmness = path.get("userToHomieWarmness").filter(|value| !value.is_null());
        let fields = Fields::new()
            .put("connectionId", connector.id.clone())
            .put("connectionName", connector.name.clone())
            .put("connectionType", path["connectionType"].clone())
            .maybe("position", connector.position.clone())
            .maybe("company", self.company_name(connector))
            .put("strengthScore", path["strengthScore"].clone())
            .maybe("userToHomieWarmness", own_warmness.cloned());
        Some(fields.done())
    }
}
