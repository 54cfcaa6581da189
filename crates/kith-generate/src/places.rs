//! Cities of the world, their languages, and their shares of the companies.

use crate::dice::{Dice, Stream};
use crate::name_words::Language::{self, *};

/// A city, and the language of most names there.
pub(crate) struct City {
    pub(crate) name: &'static str,
    pub(crate) country: &'static str,
    pub(crate) languages: [Language; 2],
}

/// The cities of one network, by number of companies, descending.
pub(crate) struct Places {
    cities: Vec<&'static City>,
}

/// How evenly companies spread over cities: a greater number is more even.
const SOFTEN: u32 = 4;

impl Places {
    /// The cities in the order that `seed` gives.
    pub(crate) fn new(seed: u64) -> Self {
        let mut cities: Vec<&'static City> = CITIES.iter().collect();
        Dice::new(seed, Stream::Places).shuffle(&mut cities);
        Self { cities }
    }

    /// City number `place`.
    pub(crate) fn get(&self, place: u8) -> &'static City {
        self.cities[usize::from(place) % self.cities.len()]
    }

    /// Returns the number of cities.
    pub(crate) fn len(&self) -> u8 {
        self.cities.len() as u8
    }

    /// Draws a city, large ones more often.
    pub(crate) fn throw(&self, dice: &mut Dice) -> u8 {
        dice.zipf(u32::from(self.len()), SOFTEN) as u8
    }

    /// The weight of city number `place` in the distribution of companies.
    pub(crate) fn weight(&self, place: u8) -> u64 {
        u64::from(u32::MAX / (u32::from(place) + SOFTEN))
    }
}

const fn city(name: &'static str, country: &'static str, most: Language, many: Language) -> City {
    City { name, country, languages: [most, many] }
}

const CITIES: [City; 72] = [
    city("London", "United Kingdom", English, Indian),
    city("Manchester", "United Kingdom", English, Polish),
    city("Edinburgh", "United Kingdom", English, Irish),
    city("Dublin", "Ireland", Irish, English),
    city("Cork", "Ireland", Irish, Portuguese),
    city("New York", "United States", English, Spanish),
    city("Boston", "United States", English, Irish),
    city("Chicago", "United States", English, Polish),
    city("Austin", "United States", English, Spanish),
    city("San Francisco", "United States", English, Pinyin),
    city("Seattle", "United States", English, Indian),
    city("Toronto", "Canada", English, Indian),
    city("Montréal", "Canada", French, English),
    city("Sydney", "Australia", English, Vietnamese),
    city("Auckland", "New Zealand", English, Pinyin),
    city("Berlin", "Germany", German, Turkish),
    city("München", "Germany", German, Czech),
    city("Hamburg", "Germany", German, Nordic),
    city("Köln", "Germany", German, Turkish),
    city("Wien", "Austria", German, Slavic),
    city("Zürich", "Switzerland", German, Italian),
    city("Genève", "Switzerland", French, Levantine),
    city("Amsterdam", "Netherlands", Dutch, English),
    city("Rotterdam", "Netherlands", Dutch, Turkish),
    city("Antwerpen", "Belgium", Dutch, French),
    city("Paris", "France", French, Levantine),
    city("Lyon", "France", French, Italian),
    city("Madrid", "Spain", Spanish, Romanian),
    city("Barcelona", "Spain", Spanish, Italian),
    city("A Coruña", "Spain", Spanish, Portuguese),
    city("Ciudad de México", "Mexico", Spanish, English),
    city("Bogotá", "Colombia", Spanish, Portuguese),
    city("Buenos Aires", "Argentina", Spanish, Italian),
    city("Santiago", "Chile", Spanish, German),
    city("Lisboa", "Portugal", Portuguese, English),
    city("Porto", "Portugal", Portuguese, French),
    city("São Paulo", "Brazil", Portuguese, Romaji),
    city("Florianópolis", "Brazil", Portuguese, German),
    city("Milano", "Italy", Italian, English),
    city("Torino", "Italy", Italian, Romanian),
    city("Stockholm", "Sweden", Nordic, Levantine),
    city("Göteborg", "Sweden", Nordic, Slavic),
    city("Malmö", "Sweden", Nordic, Levantine),
    city("København", "Denmark", Nordic, German),
    city("Oslo", "Norway", Nordic, Polish),
    city("Helsinki", "Finland", Nordic, Slavic),
    city("Reykjavík", "Iceland", Nordic, English),
    city("Warszawa", "Poland", Polish, Ukrainian),
    city("Kraków", "Poland", Polish, Slavic),
    city("Praha", "Czechia", Czech, Slavic),
    city("Brno", "Czechia", Czech, German),
    city("București", "Romania", Romanian, Turkish),
    city("Cluj-Napoca", "Romania", Romanian, German),
    city("İstanbul", "Türkiye", Turkish, Greek),
    city("Tallinn", "Estonia", Nordic, Russian),
    city("Київ", "Ukraine", Ukrainian, Slavic),
    city("Almaty", "Kazakhstan", Russian, Slavic),
    city("Αθήνα", "Greece", Greek, English),
    city("Beograd", "Serbia", Slavic, Russian),
    city("Dubai", "United Arab Emirates", Arabic, Levantine),
    city("Amman", "Jordan", Levantine, Arabic),
    city("Tel Aviv", "Israel", Israeli, Hebrew),
    city("Bengaluru", "India", Indian, Devanagari),
    city("Pune", "India", Indian, Devanagari),
    city("Singapore", "Singapore", Pinyin, Indian),
    city("上海", "China", Chinese, Pinyin),
    city("深圳", "China", Pinyin, Chinese),
    city("東京", "Japan", Japanese, Romaji),
    city("서울", "South Korea", Korean, English),
    city("Thành phố Hồ Chí Minh", "Vietnam", Vietnamese, English),
    city("Lagos", "Nigeria", Nigerian, English),
    city("Nairobi", "Kenya", Kenyan, Nigerian),
];
