import type { AnyComponent } from '../../plugin-api.ts'
import { aggregate } from './aggregate.ts'
import { batch } from './batch.ts'
import { convert } from './convert.ts'
import { date } from './date.ts'
import { extractText } from './extract-text.ts'
import { filter } from './filter.ts'
import { hash } from './hash.ts'
import { html } from './html.ts'
import { join } from './join.ts'
import { limit } from './limit.ts'
import { randomId } from './random-id.ts'
import { removeDuplicates } from './remove-duplicates.ts'
import { select } from './select.ts'
import { sort } from './sort.ts'
import { splitOut } from './split-out.ts'
import { splitText } from './split-text.ts'

/** In the order in which the page lists them. */
export const dataComponents: readonly AnyComponent[] = [
  select,
  filter,
  sort,
  limit,
  removeDuplicates,
  aggregate,
  join,
  splitOut,
  splitText,
  batch,
  convert,
  html,
  extractText,
  date,
  hash,
  randomId
]
