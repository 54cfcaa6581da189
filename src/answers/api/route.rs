//! A row of the table of endpoints: method, path, operation id and handler.

use std::sync::Arc;

use axum::routing::{MethodFilter, MethodRouter};

use crate::api::state::ApiState;

/// A method of the API. HEAD is answered wherever GET is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Without a body.
    Get,
    /// With a JSON object as its body.
    Post,
}

impl Method {
    /// The method's name in requests.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }

    const fn filter(self) -> MethodFilter {
        match self {
            Self::Get => MethodFilter::GET,
            Self::Post => MethodFilter::POST,
        }
    }
}

/// One path with its one method.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// The HTTP method.
    pub method: Method,
    /// The path, its variables in braces.
    pub path: &'static str,
    /// The operation's id: its name in generated clients, and its handler's name in snake case.
    pub id: &'static str,
    /// Puts its handler on a method.
    answer: Answer,
}

/// Puts a handler on a method.
type Answer = fn(MethodFilter) -> MethodRouter<Arc<ApiState>>;

impl Route {
    /// A path for GET and HEAD.
    #[must_use]
    pub const fn get(path: &'static str, id: &'static str, answer: Answer) -> Self {
        Self { method: Method::Get, path, id, answer }
    }

    /// A path for POST.
    #[must_use]
    pub const fn post(path: &'static str, id: &'static str, answer: Answer) -> Self {
        Self { method: Method::Post, path, id, answer }
    }

    /// The handler on its method.
    pub fn answer(&self) -> MethodRouter<Arc<ApiState>> {
        (self.answer)(self.method.filter())
    }
}
