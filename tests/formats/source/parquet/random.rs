//! Random tables from a seed.

use crate::source::network::Network;

/// A stream of numbers from a seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    /// `field` with a value, `null`, an empty text, or not at all.
    pub(crate) fn optional(&mut self, name: &str, value: &str) -> String {
        match self.below(4) {
            0 => String::new(),
            1 => format!(r#","{name}":null"#),
            2 if value.starts_with('"') => format!(r#","{name}":"""#),
            _ => format!(r#","{name}":{value}"#),
        }
    }
}

/// Tables of made-up rows: every field that may have no value is left out, null or empty now and then.
pub(crate) fn random_network(random: &mut Random) -> Network {
    let (companies, people) = (1 + random.below(4), 3 + random.below(12));
    let mut network = Network::small();
    let mut rows = |count: usize, row: &mut dyn FnMut(&mut Random, usize) -> String| -> Vec<String> {
        (0..count).map(|n| row(random, n)).collect()
    };
    let company = |random: &mut Random, n: usize| {
        let fields = [
            random.optional("industry", r#""tools, \"and\" more""#),
            random.optional("minSize", "10"),
            random.optional("maxSize", "9007199254740991"),
        ];
        format!(r#"{{"id":"company_{n}","name":"C{}"{}}}"#, n % 2, fields.concat())
    };
    let person = |random: &mut Random, n: usize| {
        let work = format!(r#""company_{}""#, random.below(companies));
        let fields = [
            random.optional("linkedinId", &format!(r#""handle-{n}""#)),
            random.optional("position", r#""line one\nline two""#),
            random.optional("currentCompanyId", &work),
            random.optional("connectionsCount", &random.0.to_string()[..2]),
            random.optional("city", r#""Ås""#),
        ];
        format!(r#"{{"id":"person_{n}","name":"P {}"{}}}"#, n % 3, fields.concat())
    };
    let edge = |random: &mut Random, _| {
        let breakdown = r#"{ "b": 0.30, "a":1e2, "pastCompanyName":"\u0041, Inc." }"#;
        let warmness = random.below(101).to_string();
        let fields = [random.optional("warmness", &warmness), random.optional("breakdown", breakdown)];
        let ends = (random.below(people), random.below(people));
        format!(r#"{{"from":"person_{}","to":"person_{}"{}}}"#, ends.0, ends.1, fields.concat())
    };
    let member = |random: &mut Random, n: usize| {
        let synced = random.optional("connectionsSyncedAt", r#""2024-01-01T00:00:00+02:00""#);
        format!(
            r#"{{"userId":"user_{n}","personId":"person_{n}","role":"admin","joinedAt":"2020-01-02T03:04:05Z"{synced}}}"#
        )
    };
    let ghost = |random: &mut Random, n: usize| {
        let path = r#"[{"connectionId":"person_0","connectionType":"direct","strengthScore":8.50}]"#;
        let fields = [random.optional("paths", path), random.optional("keyInsights", r#"{"a":[ {} ]}"#)];
        format!(
            r#"{{"id":"ghost_{n}","prospectId":"person_1","overallScore":{},"status":"saved","discoveredAt":"2024-05-01T00:00:00Z","discoveredBy":"user_0"{}}}"#,
            random.below(100),
            fields.concat()
        )
    };
    network.organization = r#"{"id":"org_a","name":"A"}"#.to_owned();
    network.tables = [
        ("companies", rows(companies, &mut { company })),
        ("people", rows(people, &mut { person })),
        ("members", rows(2, &mut { member })),
        ("connections", rows(30, &mut { edge })),
        ("ghost_opportunities", rows(3, &mut { ghost })),
    ]
    .into();
    network
}
