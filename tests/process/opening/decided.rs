//! Decisions on the page of `kith open`: who is one person, and who is suppressed.

use std::fs;

use serde_json::{Value, json};

use crate::opening::{Home, LINKEDIN, OWN, Page, open_to_others};

const MAIL: &str = "From ana@ruiz.example Mon Mar  2 10:00:00 2026\n\
    From: Ana Ruiz <ana@ruiz.example>\nTo: Fay Lind <fay.lind@gmail.com>\nDate: Mon, 2 Mar 2026 10:00:00 +0000\n\
    Message-ID: <1@ruiz.example>\n\nHello.\n\n\
    From fay.lind@gmail.com Tue Mar  3 10:00:00 2026\n\
    From: Fay Lind <fay.lind@gmail.com>\nTo: Ana Ruiz <ana@ruiz.example>\nDate: Tue, 3 Mar 2026 10:00:00 +0000\n\
    Message-ID: <2@gmail.com>\n\nHello too.\n";

impl Page {
    /// Posts `body` as the page does; the status and the answer.
    fn post(&mut self, path: &str, body: &Value) -> (u16, Value) {
        let headers = [OWN, ("cookie", &*self.cookie), ("kith-page", &*self.half)];
        let reply = self.api.post_with(path, &headers, body.to_string().as_bytes());
        (reply.status, reply.json())
    }
}

/// A home with a person who is there twice: by a profile, and by private mail without a company.
fn home() -> Home {
    let connections = format!(
        "{LINKEDIN}Fay,Lind,https://www.linkedin.com/in/fay-lind,,Lind AG,CFO,03 Mar 2024\n\
         Gus,Hart,https://www.linkedin.com/in/gus-hart,,Hart Ltd,Founder,12 May 2025\n"
    );
    Home::new(&[("Downloads/Connections.csv", &connections), ("Downloads/mail.mbox", MAIL)])
}

#[test]
fn an_answer_about_two_people_joins_them_at_the_next_open_as_warm_as_was_said() {
    let home = home();
    let args = ["--me", "Ana Ruiz", "--into", &home.text("mine"), &home.text("Downloads"), "--no-browser"];
    let opened = home.open(&args);
    let mut page = opened.enter();
    let shown = page.get("/explore/doubles");
    let [double] = shown["found"]["doubles"].as_array().unwrap().as_slice() else { panic!("{shown}") };
    let (a, b, tie) = (&double["a"], &double["b"], &double["ties"][0]);
    assert_eq!(
        (&a["name"], &b["name"], &tie["name"]),
        (&json!("Fay Lind"), &json!("Fay Lind"), &json!("Ana Ruiz"))
    );
    assert!(!shown.to_string().contains("gmail.com"), "no address is shown");
    let points = |of: &str| tie[of].as_u64().unwrap();
    assert!(points("joined") > points("a").max(points("b")), "{tie}");
    let answer = |answer: &str| json!({ "a": a["id"], "b": b["id"], "answer": answer });
    for (said, kept) in [("apart", json!("apart")), ("later", Value::Null), ("same", json!("same"))] {
        assert_eq!(page.post("/explore/doubles", &answer(said)), (200, json!({ "answer": said })));
        assert_eq!(page.get("/explore/doubles")["answers"][0]["answer"], kept);
    }
    assert_eq!(page.post("/explore/doubles", &answer("perhaps")).0, 400);
    let stranger = json!({ "a": a["id"], "b": "person_nobody", "answer": "same" });
    assert_eq!(page.post("/explore/doubles", &stranger).0, 404);
    for untied in [true, false] {
        let pair = json!({ "a": a["id"], "b": b["id"], "untied": untied });
        assert_eq!(page.post("/explore/untied", &pair), (200, json!({ "untied": untied })));
        let kept = if untied { json!([{ "people": [a["id"], b["id"]] }]) } else { json!([]) };
        assert_eq!(page.get("/explore/doubles")["untied"], kept);
    }
    assert!(home.path("mine/overrides.toml").is_file());
    assert_eq!(open_to_others(&home.path("mine")), Vec::<std::path::PathBuf>::new());
    assert_eq!(page.contacts().len(), 3);
    drop(page);
    assert_eq!(opened.server.stop("INT").0, Some(0));

    let opened = home.open(&args);
    let mut page = opened.enter();
    assert_eq!(page.contacts().len(), 2);
    let shown = page.get("/explore/doubles");
    assert_eq!(shown["found"]["doubles"], json!([]), "not asked again");
    let paths = page.get("/api/v1/search/warm-paths?prospectLinkedinId=fay-lind");
    assert_eq!(paths["data"]["paths"][0]["warmness"].as_u64(), Some(points("joined")));
}

#[test]
fn who_is_forgotten_by_a_press_is_gone_with_the_next_request_and_stays_so() {
    let home = home();
    let args = ["--me", "Ana Ruiz", "--into", &home.text("mine"), &home.text("Downloads"), "--no-browser"];
    let opened = home.open(&args);
    let mut page = opened.enter();
    let who = page.get("/explore/login");
    assert_eq!(who["data"]["forgets"], true);
    let forget = |people: &[&str]| json!({ "people": people });
    let (status, refused) =
        page.post("/explore/forget", &forget(&[who["data"]["member"]["personId"].as_str().unwrap()]));
    assert_eq!(status, 409, "{refused}");
    assert!(refused["error"].as_str().unwrap().contains("Ana Ruiz is a member"), "{refused}");
    assert_eq!(page.post("/explore/forget", &forget(&["person_nobody"])).0, 404);
    let gus = page.contacts().into_iter().find(|(name, _)| name == "Gus Hart").unwrap().1;
    assert_eq!(
        page.post("/explore/forget", &forget(&[&gus])),
        (200, json!({ "forgotten": 1, "others": [] }))
    );
    assert!(!page.contacts().iter().any(|(name, _)| name == "Gus Hart"));
    assert_eq!(page.contacts().len(), 2, "the control");
    drop(page);
    assert_eq!(opened.server.stop("INT").0, Some(0));
    let opened = home.open(&args);
    assert_eq!(opened.enter().contacts().len(), 2);
    let tables = fs::read_to_string(home.path("mine/tables/people.ndjson")).unwrap();
    assert!(!tables.contains("Gus Hart") && tables.contains("Fay Lind"), "{tables}");
}
