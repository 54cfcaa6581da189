//! Accepted configurations, and those refused by name.

use super::*;
use crate::auth::jwt::settings::IssuerSettingsError;
use crate::telemetry::settings::TraceSettingsError;
use std::error::Error;

mod reference;
mod sample;
mod several;

fn read(toml: &str, environment: &[(&str, &str)]) -> Result<Limits, Box<dyn Error>> {
    Ok(parsed(toml, environment)?.limits()?)
}

#[test]
fn the_environment_overrides_the_file_and_the_file_the_defaults() -> Result<(), Box<dyn Error>> {
    let toml = "[limits]\nbridges = 3\nedges_per_target = 4\n";
    let limits = read(toml, &[("KITH_LIMITS__BRIDGES", "5"), ("KITH_LOG", "debug"), ("OTHER__X", "1")])?;
    assert_eq!(limits, Limits { bridges: 5, edges_per_target: 4, ..Limits::DEFAULT });
    Ok(())
}

fn parsed(toml: &str, environment: &[(&str, &str)]) -> Result<Config, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("kith.toml");
    std::fs::write(&file, toml)?;
    let environment = environment.iter().map(|&(name, value)| (name.to_owned(), value.to_owned()));
    Ok(Config::read(Some(&file), environment)?)
}

#[test]
fn the_age_of_keys_and_the_life_of_jwts_have_bounds_that_name_the_key() -> Result<(), Box<dyn Error>> {
    let on = "[oauth]\njwks_file = \"k.json\"\nissuer = \"https://idp\"\naudience = \"kith\"\n";
    for (line, refused) in [
        ("", None),
        ("jwks_max_age_seconds = 900", None),
        ("jwks_max_age_seconds = 2592000", None),
        ("jwks_max_age_seconds = 899", Some("oauth.jwks_max_age_seconds is 899; it can be 900 to 2592000")),
        ("jwks_max_age_seconds = 2592001", Some("oauth.jwks_max_age_seconds")),
        ("token_life_max_seconds = 1", None),
        ("token_life_max_seconds = 3153600000", None),
        ("token_life_max_seconds = 0", Some("oauth.token_life_max_seconds is 0; it can be 1 to 3153600000")),
        ("token_life_max_seconds = 3153600001", Some("oauth.token_life_max_seconds")),
    ] {
        let reported = parsed(&format!("{on}{line}"), &[])?.issuer().map_err(|error| error.to_string());
        match (reported, refused) {
            (Ok(settings), None) => assert!(settings.is_some(), "{line}"),
            (Err(sentence), Some(part)) => assert!(sentence.contains(part), "{line}: {sentence}"),
            (reported, _) => return Err(format!("{line}: {:?}", reported.err()).into()),
        }
    }
    let environment =
        [("KITH_OAUTH__JWKS_MAX_AGE_SECONDS", "1"), ("KITH_OAUTH__TOKEN_LIFE_MAX_SECONDS", "60")];
    let reported = parsed(on, &environment)?.issuer().map_err(|error| error.to_string());
    assert!(reported.is_err_and(|sentence| sentence.contains("oauth.jwks_max_age_seconds is 1")));
    Ok(())
}

#[test]
fn jwts_are_off_without_a_jwks_and_need_both_names_with_one() -> Result<(), Box<dyn Error>> {
    let names = "[oauth]\nissuer = \"https://idp\"\naudience = \"kith\"\n";
    let (file, url) = (("KITH_OAUTH__JWKS_FILE", "k.json"), ("KITH_OAUTH__JWKS_URL", "https://idp/k"));
    let blank = ("KITH_OAUTH__JWKS_URL", " ");
    let missing = |key| Err(IssuerSettingsError::Missing { key });
    for (toml, environment, is_on) in [
        ("", &[][..], Ok(false)),
        (names, &[], Ok(false)),
        (names, &[blank], Ok(false)),
        (names, &[file], Ok(true)),
        (names, &[url], Ok(true)),
        (names, &[file, blank], Ok(true)),
        (names, &[("KITH_OAUTH__JWKS_URL", "http://127.0.0.1:1/k?a=b")], Ok(true)),
        (names, &[file, url], Err(IssuerSettingsError::BothSources)),
        ("", &[file, url], Err(IssuerSettingsError::BothSources)),
        (names, &[("KITH_OAUTH__JWKS_URL", "http://idp/k")], Err(IssuerSettingsError::Url)),
        (names, &[("KITH_OAUTH__JWKS_URL", "k.json")], Err(IssuerSettingsError::Url)),
        (names, &[("KITH_OAUTH__JWKS_URL", "https://a:canary@idp/k")], Err(IssuerSettingsError::Url)),
        ("", &[file], missing("oauth.issuer")),
        (names, &[url, ("KITH_OAUTH__ISSUER", "")], missing("oauth.issuer")),
        (names, &[file, ("KITH_OAUTH__AUDIENCE", " ")], missing("oauth.audience")),
    ] {
        let reported = match parsed(toml, environment)?.issuer() {
            Ok(settings) => Ok(settings.is_some()),
            Err(ConfigError::Issuer(error)) => Err(error),
            Err(error) => return Err(error.into()),
        };
        assert_eq!(reported, is_on, "{toml} {environment:?}");
        let sentence = reported.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(
            !sentence.contains("canary") && (reported.is_ok() || sentence.contains("oauth.")),
            "{sentence}"
        );
    }
    Ok(())
}

#[test]
fn engines_are_a_list_of_names() -> Result<(), Box<dyn Error>> {
    let (graph, vector) = ([Engine::Keyword].into_iter().collect(), [Engine::Vector].into_iter().collect());
    let (both, none) = ([Engine::Vector, Engine::Keyword].into_iter().collect(), [].into_iter().collect());
    let file = "[search]\nengines = [\"graph\", \"graph\"]";
    for (toml, environment, engines) in [
        ("", &[][..], Engines::ALL),
        ("[search]", &[], Engines::ALL),
        ("[search]\nengines = [\"vector\", \"graph\", \"relational\"]", &[], Engines::ALL),
        ("[search]\nengines = []", &[], none),
        (file, &[], graph),
        (file, &[("KITH_SEARCH__ENGINES", "graph,vector")], both),
        ("", &[("KITH_SEARCH__ENGINES", "graph, vector")], both),
        ("", &[("KITH_SEARCH__ENGINES", "vector")], vector),
    ] {
        assert_eq!(parsed(toml, environment)?.engines()?, engines, "{toml} {environment:?}");
    }
    for named in ["Graph", "keyword", ""] {
        let reported =
            parsed("", &[("KITH_SEARCH__ENGINES", named)])?.engines().err().map(|error| error.to_string());
        assert!(
            reported.is_some_and(|reported| reported.contains(&format!("search.engines names \"{named}\""))),
            "{named}"
        );
    }
    Ok(())
}

#[test]
fn the_folder_is_watched_if_a_number_of_seconds_says_so() -> Result<(), Box<dyn Error>> {
    let file = "[snapshots]\nwatch_seconds = 5";
    let name = "KITH_SNAPSHOTS__WATCH_SECONDS";
    for (toml, environment, seconds) in [
        ("", &[][..], None),
        ("[snapshots]", &[], None),
        (file, &[], Some(5)),
        (file, &[(name, "0")], None),
        ("", &[(name, "60")], Some(60)),
    ] {
        let watch = parsed(toml, environment)?.watch();
        assert_eq!(watch, seconds.map(Duration::from_secs), "{toml} {environment:?}");
    }
    Ok(())
}

#[test]
fn a_list_of_people_to_forget_is_named_by_its_file() -> Result<(), Box<dyn Error>> {
    let (file, name) = ("[suppressions]\nfile = \"a b.txt\"", "KITH_SUPPRESSIONS__FILE");
    for (toml, environment, named) in [
        ("", &[][..], None),
        (file, &[], Some("a b.txt")),
        (file, &[(name, "/c")], Some("/c")),
        (file, &[(name, "")], None),
    ] {
        let settings = parsed(toml, environment)?;
        assert_eq!(settings.suppressions(), named.map(Path::new), "{toml} {environment:?}");
    }
    Ok(())
}

/// The settings of a provider, `None` if it is off, or the error.
fn provider(toml: &str, environment: &[(&str, &str)]) -> Result<Option<String>, Box<dyn Error>> {
    let variable = |name: &str| (name == "MY_KEY").then(|| "sk-canary".to_owned());
    Ok(parsed(toml, environment)?.language_model(variable)?.map(|settings| format!("{settings:?}")))
}

#[test]
fn a_language_model_is_off_without_an_address() -> Result<(), Box<dyn Error>> {
    let on = "[language_model]\nbase_url = \"http://host/v1\"\nmodel = \"m\"";
    let address = ("KITH_LANGUAGE_MODEL__BASE_URL", "http://host/v1");
    for (toml, environment, is_on) in [
        ("", &[][..], false),
        ("[language_model]\nmodel = \"m\"\napi_key_env = \"UNSET\"\ntimeout_ms = 0", &[], false),
        (on, &[], true),
        (on, &[("KITH_LANGUAGE_MODEL__BASE_URL", "")], false),
        ("[language_model]\nmodel = \"m\"", &[address], true),
        ("", &[address, ("KITH_LANGUAGE_MODEL__MODEL", "m"), ("KITH_LANGUAGE_MODEL__TIMEOUT_MS", "7")], true),
    ] {
        assert_eq!(provider(toml, environment)?.is_some(), is_on, "{toml} {environment:?}");
    }
    Ok(())
}

#[test]
fn a_provider_has_two_seconds_and_the_key_that_a_variable_holds() -> Result<(), Box<dyn Error>> {
    let on = "[language_model]\nbase_url = \"http://host/v1\"\nmodel = \"m\"\n";
    let reported = provider(&format!("{on}api_key_env = \"MY_KEY\""), &[])?.unwrap();
    assert!(
        reported.contains("timeout: 2s") && reported.contains("withheld") && !reported.contains("canary"),
        "{reported}"
    );
    let reported = provider(&format!("{on}timeout_ms = 300"), &[])?.unwrap();
    assert!(reported.contains("timeout: 300ms") && reported.contains("key: None"), "{reported}");
    for (more, named) in [
        ("api_key_env = \"OTHER_KEY\"", "OTHER_KEY"),
        ("timeout_ms = 0", "language_model.timeout_ms"),
        ("timeout_ms = -1", "timeout_ms"),
        ("key = \"sk-canary\"", "unknown field `key`"),
    ] {
        let reported = provider(&format!("{on}{more}"), &[]).unwrap_err().to_string();
        assert!(reported.contains(named) && !reported.contains("canary"), "{more}: {reported}");
    }
    Ok(())
}

#[test]
fn tls_takes_a_certificate_and_a_key_or_neither() -> Result<(), Box<dyn Error>> {
    let (certificate, key) = (("KITH_TLS__CERTIFICATE_FILE", "c.pem"), ("KITH_TLS__KEY_FILE", "k.pem"));
    let both = Some((Path::new("c.pem"), Path::new("k.pem")));
    assert_eq!(parsed("", &[])?.tls()?, None);
    assert_eq!(parsed("", &[certificate, key])?.tls()?, both);
    assert_eq!(parsed("[tls]\ncertificate_file = \"c.pem\"", &[key])?.tls()?, both);
    assert_eq!(parsed("[tls]\nkey_file = \" \"", &[])?.tls()?, None);
    for (set, missing) in [(certificate, "tls.key_file"), (key, "tls.certificate_file")] {
        let reported = parsed("", &[set])?.tls().unwrap_err().to_string();
        assert!(reported.contains(&format!("key {missing} is missing")), "{reported}");
    }
    Ok(())
}

#[test]
fn rates_are_off_without_a_rate_and_what_is_none_is_refused_by_name() -> Result<(), Box<dyn Error>> {
    let (rate, burst) = ("KITH_RATES__REQUESTS_PER_SECOND", "KITH_RATES__BURST");
    let file = "[rates]\nrequests_per_second = 2.5\nburst = 7\n";
    let settings = |rate, burst| RateSettings::new(Some(rate), burst).map_err(ConfigError::Rates);
    for (toml, environment, expected) in [
        ("", &[][..], Ok(None)),
        ("[rates]", &[], Ok(None)),
        (file, &[], settings(2.5, Some(7.0))),
        (file, &[(rate, "4")], settings(4.0, Some(7.0))),
        ("", &[(rate, "2.5")], settings(2.5, Some(3.0))),
        ("", &[(rate, "1"), (burst, "9")], settings(1.0, Some(9.0))),
    ] {
        assert_eq!(parsed(toml, environment)?.rates()?, expected?, "{toml} {environment:?}");
    }
    for (toml, environment, named) in [
        ("[rates]\nburst = 7", &[][..], "rates.requests_per_second is missing"),
        (file, &[(rate, "0")], "rates.requests_per_second is 0"),
        (file, &[(rate, "-1")], "rates.requests_per_second is -1"),
        (file, &[(rate, "nan")], "rates.requests_per_second is NaN"),
        (file, &[(rate, "fast")], "requests_per_second"),
        (file, &[(rate, "")], "requests_per_second"),
        (file, &[(burst, "0")], "rates.burst is 0"),
        (file, &[(burst, "1.5")], "rates.burst is 1.5"),
        (file, &[(burst, "-3")], "rates.burst is -3"),
        ("[rates]\nper_second = 1", &[], "per_second"),
    ] {
        let reported = parsed(toml, environment).and_then(|settings| Ok(settings.rates()?));
        let reported = reported.unwrap_err().to_string();
        assert!(reported.contains(named), "{toml} {environment:?}: {reported}");
    }
    Ok(())
}

#[test]
fn traces_are_off_without_an_address_and_a_share_of_them_needs_one() -> Result<(), Box<dyn Error>> {
    use TraceSettingsError::{NoUrl, Ratio, Url};
    let on = "[telemetry]\ntraces_url = \"http://10.0.0.1:4318/v1/traces\"\n";
    let (url, ratio) = ("KITH_TELEMETRY__TRACES_URL", "KITH_TELEMETRY__SAMPLE_RATIO");
    for (toml, environment, reported) in [
        ("", &[][..], Ok(None)),
        ("[telemetry]", &[], Ok(None)),
        (on, &[], Ok(Some(1.0))),
        (on, &[(url, " ")], Ok(None)),
        (on, &[(url, " "), (ratio, "0.5")], Ok(None)),
        ("", &[(url, "https://host/a?b=c")], Ok(Some(1.0))),
        (on, &[(ratio, "0")], Ok(Some(0.0))),
        (on, &[(ratio, "1")], Ok(Some(1.0))),
        (on, &[(ratio, "0.25")], Ok(Some(0.25))),
        ("[telemetry]\nsample_ratio = 1", &[(url, "http://host")], Ok(Some(1.0))),
        ("[telemetry]\nsample_ratio = 1", &[], Err(NoUrl)),
        ("", &[(ratio, "0")], Err(NoUrl)),
        ("[telemetry]\nsample_ratio = -0.1", &[(url, "http://host")], Err(Ratio { got: -0.1 })),
        (on, &[(ratio, "1.01")], Err(Ratio { got: 1.01 })),
        (on, &[(ratio, "inf")], Err(Ratio { got: f64::INFINITY })),
        (on, &[(url, "host:4318")], Err(Url)),
        (on, &[(url, "grpc://host:4317")], Err(Url)),
        (on, &[(url, "https://me:canary@host/v1/traces")], Err(Url)),
        (on, &[(url, "http://host/v1/traces#canary")], Err(Url)),
    ] {
        let got = match parsed(toml, environment)?.traces() {
            Ok(settings) => Ok(settings.map(|settings| settings.sample_ratio)),
            Err(ConfigError::Telemetry(error)) => Err(error),
            Err(error) => return Err(error.into()),
        };
        assert_eq!(got, reported, "{toml} {environment:?}");
        let sentence = got.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(!sentence.contains("canary"), "{sentence}");
        assert!(got.is_ok() || sentence.contains("configuration key telemetry."), "{sentence}");
    }
    let reported = parsed("[telemetry]\nsample_ratio = nan", &[(url, "http://host")])?.traces();
    assert!(matches!(reported, Err(ConfigError::Telemetry(Ratio { got })) if got.is_nan()), "{reported:?}");
    Ok(())
}

#[test]
fn what_no_key_takes_is_refused_by_name() {
    for (toml, environment, named) in [
        ("[limits]\nbridge = 3", &[][..], "bridge"),
        ("[limit]\nbridges = 3", &[], "limit"),
        ("[limits]\nbridges = -1", &[], "bridges"),
        ("[limits]\nbridges = \"x\"", &[], "bridges"),
        ("[limits]\nbridges = 1000001", &[], "limits.bridges"),
        ("", &[("KITH_LIMITS__EDGES", "1")], "edges"),
        ("[snapshots]\nwatch_seconds = -1", &[], "watch_seconds"),
        ("[snapshots]\nwatch = 1", &[], "watch"),
        ("[suppressions]\npath = \"x\"", &[], "path"),
        ("[search]\nengine = [\"graph\"]", &[], "engine"),
        ("[search]\nengines = 3", &[], "engines"),
        ("[language_model]\nurl = \"x\"", &[], "url"),
        ("[oauth]\njwks = \"x\"", &[], "jwks"),
        ("[limits\n", &[], "kith.toml"),
        ("[telemetry]\nurl = \"x\"", &[], "url"),
        ("[telemetry]\nsample_ratio = \"much\"", &[], "sample_ratio"),
        ("[tls]\ncertificate = \"x\"", &[], "certificate"),
    ] {
        let reported = read(toml, environment).unwrap_err().to_string();
        assert!(reported.contains(named), "{toml}: {reported}");
    }
}

#[test]
fn the_operators_listener_takes_hosts_and_a_token_file_and_a_stop_a_time() -> Result<(), Box<dyn Error>> {
    let file = "[admin]\nhosts = [\"Kith.example:1\", \"fd00::5\"]\ntoken_file = \"a b\"\n[service]\ndrain_seconds = 9";
    let (hosts, token) = ("KITH_ADMIN__HOSTS", "KITH_ADMIN__TOKEN_FILE");
    let origins_key = "KITH_SERVICE__CORS_ORIGINS";
    for (toml, environment, named, token_file, seconds) in [
        ("", &[][..], &[][..], None, 0),
        ("[admin]\n[service]", &[], &[], None, 0),
        (file, &[], &["kith.example", "fd00::5"], Some("a b"), 9),
        (file, &[(hosts, "10.0.0.7"), (token, "")], &["10.0.0.7"], None, 9),
        (file, &[(hosts, ""), ("KITH_SERVICE__DRAIN_SECONDS", "0")], &[], Some("a b"), 0),
        ("", &[(hosts, "a, b"), (token, "/c")], &["a", "b"], Some("/c"), 0),
        ("", &[("KITH_SERVICE__DRAIN_SECONDS", "600")], &[], None, 600),
    ] {
        let settings = parsed(toml, environment)?;
        let named: Vec<_> = named.iter().filter_map(|host| HostName::parse(host)).collect();
        assert_eq!(settings.admin_hosts()?, named, "{toml} {environment:?}");
        assert_eq!(settings.admin_token_file(), token_file.map(Path::new), "{toml} {environment:?}");
        assert_eq!(settings.drain()?, Duration::from_secs(seconds), "{toml} {environment:?}");
    }
    for host in ["http://a", "*.a", "a b", "me@a"] {
        let refused = parsed("", &[(hosts, host)])?.admin_hosts().err().map(|error| error.to_string());
        assert!(
            refused.is_some_and(|said| said.contains(&format!("admin.hosts names \"{host}\""))),
            "{host}"
        );
    }
    for (toml, bytes) in
        [("", None), ("[service]\nmemory_max_bytes = 0", None), ("[service]\nmemory_max_bytes = 9", Some(9))]
    {
        assert_eq!(parsed(toml, &[])?.memory_max_bytes(), bytes, "{toml}");
    }
    let keep = |keep| Some(InMemory::All(keep));
    for (toml, in_memory) in [
        ("", keep(Keep::InService)),
        ("[live]\nkeep_changes = true\nbudget_bytes = 0", keep(Keep::OneBefore)),
        ("[live]\nbudget_bytes = 9", Some(InMemory::ByNeed { budget: 9 })),
        ("[live]\nbudget_bytes = 9\nkeep_changes = true", None),
    ] {
        assert_eq!(parsed(toml, &[])?.in_memory().ok(), in_memory, "{toml}");
    }
    assert!(parsed("[service]\ndrain_seconds = 601", &[])?.drain().is_err());
    assert!(parsed("", &[("KITH_SERVICE__PROXIES", "10.0.0.7, fd00::/8")])?.peers().is_ok());
    let refused =
        parsed("[service]\nproxies = [\"10.0.0.0/33\"]", &[])?.peers().err().map(|error| error.to_string());
    assert!(refused.is_some_and(|said| said.contains("service.proxies names \"10.0.0.0/33\"")));
    for (toml, environment, origins) in [
        ("", &[][..], &[][..]),
        ("[service]\ncors_origins = [\"https://a.example\", \" \"]", &[], &["https://a.example"]),
        ("", &[(origins_key, "https://a.example, http://b:81")], &["https://a.example", "http://b:81"]),
        ("[service]\ncors_origins = [\"https://a.example\"]", &[(origins_key, "")], &[]),
    ] {
        let read = parsed(toml, environment)?.cors_origins()?;
        assert_eq!(read.iter().map(|origin| origin.as_str()).collect::<Vec<_>>(), origins, "{toml}");
    }
    let refused = parsed("", &[(origins_key, "*")])?.cors_origins().err().map(|error| error.to_string());
    assert!(refused.is_some_and(|said| said.contains("service.cors_origins names \"*\"")));
    assert!(parsed("[admin]\nhost = [\"a\"]", &[]).is_err() && parsed("[service]\ndrain = 1", &[]).is_err());
    Ok(())
}

#[test]
fn the_page_is_served_unless_it_is_turned_off() -> Result<(), Box<dyn Error>> {
    let variable = "KITH_EXPLORER__ENABLED";
    for (toml, environment, is_served) in [
        ("", &[][..], true),
        ("[explorer]", &[], true),
        ("[explorer]\nenabled = true", &[], true),
        ("[explorer]\nenabled = false", &[], false),
        ("[explorer]\nenabled = false", &[(variable, "true")], true),
        ("", &[(variable, "false")], false),
    ] {
        assert_eq!(parsed(toml, environment)?.is_page_served(), is_served, "{toml} {environment:?}");
    }
    assert!(parsed("[explorer]\nenable = true", &[]).is_err());
    let hosts = ("KITH_EXPLORER__LOGO_HOSTS", "a.example, b.example:81");
    assert_eq!(parsed("", &[hosts])?.logo_hosts()?.len(), 2);
    Ok(())
}
