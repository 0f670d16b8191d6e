import type { Column } from './part.ts'

export const text = (name: string): Column => ({ name, type: 'text' })
export const long = (name: string): Column => ({ name, type: 'text', isLong: true })
export const integer = (name: string): Column => ({ name, type: 'integer' })
export const bigint = (name: string): Column => ({ name, type: 'bigint' })
