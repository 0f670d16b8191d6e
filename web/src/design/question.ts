import type { ReactNode } from 'react'

/** What somebody has to say yes to. */
export interface Question {
  readonly title: string
  /** What will happen, and what cannot be undone. */
  readonly body: ReactNode
  /** The verb on the button: "Revoke". */
  readonly action: string
  readonly isDangerous?: boolean
}
