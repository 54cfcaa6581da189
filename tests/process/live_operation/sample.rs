//! The summary of many measurements.

/// Nanoseconds, in order.
pub(crate) struct Sample(Vec<i64>);

impl Sample {
    pub(crate) fn new(mut values: Vec<i64>) -> Self {
        values.sort_unstable();
        Self(values)
    }

    /// The value below which this share lies.
    pub(crate) fn quantile(&self, share: f64) -> i64 {
        let last = self.0.len() - 1;
        self.0[((last as f64 * share).round() as usize).min(last)]
    }

    /// The ends of the interval that holds the true median with 99 % confidence, by the sign test: nothing is
    /// assumed of how the values are spread.
    pub(crate) fn median_interval(&self) -> (i64, i64) {
        let count = self.0.len() as f64;
        let half_width = 2.576 * count.sqrt() / 2.0;
        let rank = |at: f64| self.0[at.clamp(0.0, count - 1.0) as usize];
        (rank(count / 2.0 - half_width), rank(count / 2.0 + half_width))
    }

    /// How far the share above zero is from a half, in standard errors; ties count for neither side.
    pub(crate) fn sign_z(&self) -> f64 {
        let above = self.0.iter().filter(|&&value| value > 0).count() as f64;
        let below = self.0.iter().filter(|&&value| value < 0).count() as f64;
        (above - below) / (above + below).max(1.0).sqrt()
    }
}

#[test]
fn a_median_that_is_off_is_seen_and_noise_is_not() {
    let noise =
        |shift: i64| Sample::new((0..10_001).map(|at| (at * 7919 % 10_001) - 5_000 + shift).collect());
    let (low, high) = noise(0).median_interval();
    assert!(low < 0 && high > 0 && high - low < 300, "{low} {high}");
    assert!(noise(0).sign_z().abs() < 1.0);
    let (low, _) = noise(400).median_interval();
    assert!(low > 0 && noise(400).sign_z() > 5.0, "{low}");
    assert_eq!((noise(0).quantile(0.5), noise(0).quantile(1.0)), (0, 5_000));
}
