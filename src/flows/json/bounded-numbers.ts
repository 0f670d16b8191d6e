import { Type } from './schema-builder.ts'

/** Numbers of the API. Each has bounds, so that nothing is taken that a store, a clock or a reader cannot hold. */

interface Words {
  readonly description?: string
}

/** What a column of PostgreSQL holds that numbers things one after the other. */
export const LAST_NUMBER = 2_147_483_647

/** How many there are. */
export const count = (words: Words = {}) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...words })

/** Which one it is of those that are numbered from 1 on, such as a version. */
export const numbered = (words: Words = {}) => Type.Integer({ minimum: 1, maximum: LAST_NUMBER, ...words })

/** The same, where 0 stands for none. */
export const numberedOrNone = (words: Words = {}) =>
  Type.Integer({ minimum: 0, maximum: LAST_NUMBER, ...words })

/** What is measured, such as milliseconds. */
export const amount = (words: Words = {}) =>
  Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...words })
