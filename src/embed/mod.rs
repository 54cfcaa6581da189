//! Texts to vectors, by the small model that ships with the program.
