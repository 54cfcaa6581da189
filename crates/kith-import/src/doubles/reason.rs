//! Reasons for and against two people being one, with their weights.

/// A reason for or against two people being one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DoubleReason {
    SameName,
    SameNameOtherwise,
    LikeName,
    PartOfName,
    TurnedName,
    SameAddress,
    SamePhone,
    SameCompany,
    OneWithoutCompany,
    OtherCompany,
    SameDomain,
    NameInAddress,
    SamePosition,
    OtherPosition,
    SameOwner,
    OneWithoutAddress,
}

impl DoubleReason {
    /// The reason in words.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::SameName => "the same name",
            Self::SameNameOtherwise => "the same name, said or typed otherwise",
            Self::LikeName => "a name like it",
            Self::PartOfName => "a part of the name",
            Self::TurnedName => "the name the other way round",
            Self::SameAddress => "the same address and family name",
            Self::SamePhone => "the same phone number",
            Self::SameCompany => "the same company",
            Self::OneWithoutCompany => "of one no company is known",
            Self::OtherCompany => "another company",
            Self::SameDomain => "addresses at the same domain",
            Self::NameInAddress => "a private address with the name in it",
            Self::SamePosition => "the same position",
            Self::OtherPosition => "another position",
            Self::SameOwner => "both in files of the same owner",
            Self::OneWithoutAddress => "of one no address is known",
        }
    }

    /// Its contribution to the score, in hundredths.
    pub(crate) const fn weight(self) -> i16 {
        match self {
            Self::SameName | Self::SameAddress => 50,
            Self::SameNameOtherwise | Self::SamePhone => 40,
            Self::LikeName | Self::PartOfName | Self::TurnedName => 30,
            Self::SameCompany => 20,
            Self::OneWithoutCompany => 15,
            Self::OtherCompany => -15,
            Self::SameDomain | Self::NameInAddress | Self::SamePosition | Self::SameOwner => 10,
            Self::OneWithoutAddress => 5,
            Self::OtherPosition => -5,
        }
    }
}
