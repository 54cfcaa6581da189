//! Vectors of texts: what each text means, as a direction, so that meanings can be compared.
//!
//! Made when a snapshot is built, by the model that ships with the program. Vectors of different
//! models say nothing about each other, so the model's hash stands beside them.

/// Components of a vector.
pub const DIMENSIONS: usize = 256;

/// A vector of unit length, each component × 127 and rounded, so from -127 to 127; or all zero, for
/// a text that says nothing the model knows.
pub type Quantized = [i8; DIMENSIONS];

/// The vector of a text that says nothing the model knows, the empty text above all.
pub const ZERO: Quantized = [0; DIMENSIONS];

/// The SHA-256 of a model's files.
pub type ModelHash = [u8; 32];

/// The vectors of a network's texts.
///
/// Those of a dictionary column have one entry for each of its distinct texts, in their order; the
/// first, that of the empty text, is [`ZERO`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vectors {
    /// The model that made them.
    pub model: ModelHash,
    /// Of the distinct positions of people.
    pub positions: Vec<Quantized>,
    /// Of the distinct cities of people.
    pub cities: Vec<Quantized>,
    /// Of the distinct countries of people.
    pub countries: Vec<Quantized>,
    /// Of the distinct industries of companies.
    pub industries: Vec<Quantized>,
    /// Of the distinct headquarters of companies.
    pub headquarters: Vec<Quantized>,
    /// Of the names of companies: one for each company.
    pub company_names: Vec<Quantized>,
}

impl Default for Vectors {
    /// Those of a network without a text: each dictionary still has its empty one.
    fn default() -> Self {
        let empty_text = || vec![ZERO];
        Self {
            model: ModelHash::default(),
            positions: empty_text(),
            cities: empty_text(),
            countries: empty_text(),
            industries: empty_text(),
            headquarters: empty_text(),
            company_names: Vec::new(),
        }
    }
}

impl Vectors {
    /// Bytes held on the heap.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        [
            &self.positions,
            &self.cities,
            &self.countries,
            &self.industries,
            &self.headquarters,
            &self.company_names,
        ]
        .map(|vectors| vectors.capacity() * size_of::<Quantized>())
        .iter()
        .sum()
    }
}
