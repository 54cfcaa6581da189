//! Vectors of texts: the meaning of each text as a direction, so that meanings can be compared.
//!
//! A build makes them with the model that ships with the program. Vectors of different models cannot be compared, so
//! the model's hash is stored beside them.

/// Components of a vector.
pub const DIMENSIONS: usize = 256;

/// A unit vector, each component × 127 and rounded, so from -127 to 127; all zero for a text in which the model knows
/// no word.
pub type Quantized = [i8; DIMENSIONS];

/// The vector of a text in which the model knows no word, such as the empty text.
pub const ZERO: Quantized = [0; DIMENSIONS];

/// The SHA-256 of a model's files.
pub type ModelHash = [u8; 32];

/// The vectors of a network's texts.
///
/// Those of a dictionary column have one entry per distinct text, in the same order; the first, of the empty text, is
/// [`ZERO`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vectors {
    /// The model that made them.
    pub model: ModelHash,
    /// Vectors of the distinct positions of people.
    pub positions: Vec<Quantized>,
    /// Vectors of the distinct cities of people.
    pub cities: Vec<Quantized>,
    /// Vectors of the distinct countries of people.
    pub countries: Vec<Quantized>,
    /// Vectors of the distinct industries of companies.
    pub industries: Vec<Quantized>,
    /// Vectors of the distinct headquarters of companies.
    pub headquarters: Vec<Quantized>,
    /// Vectors of the names of companies, one per company.
    pub company_names: Vec<Quantized>,
}

impl Default for Vectors {
    /// The vectors of a network without texts: each dictionary still has its empty one.
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
