/** The history that every cohort needs for a forecast. Pages recognize the sentence, so that they say it once for all cohorts. */
const [weeks, finished] = [8, 20];

export const forecastNeeds = {
  weeks,
  finished,
  text: `A forecast needs at least ${weeks} weeks of history with ${finished} finished experiments.`,
} as const;
