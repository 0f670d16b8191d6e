import type { Static } from 'typebox'
import type { PushAnswer } from '../../../http/push/push-schemas.ts'

/** What a push would do, or has done. */
export type Plan = Static<typeof PushAnswer>
