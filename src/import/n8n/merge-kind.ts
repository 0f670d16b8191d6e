import { textOf } from '../values.ts'

export type MergeKind = 'append' | 'position' | 'fields' | 'all' | 'branch' | 'empty' | 'sql'

const OF_MODE: Readonly<Record<string, MergeKind>> = {
  append: 'append',
  multiplex: 'all',
  mergeByIndex: 'position',
  mergeByPosition: 'position',
  mergeByKey: 'fields',
  keepKeyMatches: 'fields',
  removeKeyMatches: 'fields',
  chooseBranch: 'branch',
  passThrough: 'branch',
  wait: 'empty',
  combineBySql: 'sql'
}

/** What a Merge does, in the words of all its versions. A file leaves out what is as n8n has it: a Combine goes by fields then. */
export function mergeKind(params: Readonly<Record<string, unknown>>): MergeKind {
  const mode = textOf(params.mode) || 'append'
  if (mode === 'combine') {
    const by = textOf(params.combineBy) || textOf(params.combinationMode)
    if (/position/i.test(by)) return 'position'
    return /all|multiplex/i.test(by) ? 'all' : 'fields'
  }
  if (mode === 'chooseBranch' && textOf(params.output) === 'empty') return 'empty'
  return Object.hasOwn(OF_MODE, mode) ? OF_MODE[mode]! : 'append'
}
