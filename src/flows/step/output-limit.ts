/** What is left for one step. */
export interface OutputLimit {
  readonly bytes: number
  /** Which limit it is that ends here. */
  readonly of: 'step' | 'run'
  /** That limit as a whole. */
  readonly most: number
}
