/** A bound on work that a hostile task could make as long as it likes, in characters looked at. */
export interface WorkLeft {
  left: number;
}

/** Far above what real tasks need (2,000 files and 50 rules: 5 million). */
export const MOST_WORK = 20_000_000;
