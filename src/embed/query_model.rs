//! What makes the vectors of descriptions in queries: the model's table alone, or with it an encoder that the operator named.

#[cfg(feature = "encoder")]
use crate::embed::encoder::Encoder;
use crate::embed::model::{Model, Vector};

/// How much an encoder's vector counts; the table's counts for the rest.
#[cfg(feature = "encoder")]
const OF_ENCODER: f32 = 0.35;

/// What makes the vectors of descriptions in queries. All of them compare with those that the table makes of a network's
/// texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueryModel {
    /// The table.
    #[default]
    Table,
    /// The table and an encoder, which lasts for as long as the program runs.
    #[cfg(feature = "encoder")]
    Encoder(&'static Encoder),
}

impl QueryModel {
    /// The vector of `text`: with an encoder, a direction between what the two make of it. Either alone finds less.
    #[must_use]
    pub fn embed(self, text: &str) -> Vector {
        let of_table = Model::own().embed(text);
        match self {
            Self::Table => of_table,
            #[cfg(feature = "encoder")]
            Self::Encoder(encoder) => {
                let mut sum = of_table.0;
                for (sum, own) in sum.iter_mut().zip(encoder.embed(text).0) {
                    *sum = (1.0 - OF_ENCODER) * *sum + OF_ENCODER * own;
                }
                Vector::unit(sum)
            }
        }
    }
}
