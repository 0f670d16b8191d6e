// What `millrace` can do, as it is declared in commands.json: reading, help and completion are made of that one list. Plain
// JavaScript of the oldest kind, read before anything is installed and before the Node is looked at: whoever asks for help
// may have neither.
import { readFileSync } from 'node:fs'

export function readDeclared() {
  return JSON.parse(readFileSync(new URL('./commands.json', import.meta.url), 'utf8'))
}

/** All options that a command knows, by name. */
export function optionsOf(declared, name) {
  const { options = {}, remote = false } = declared.commands[name]
  return { ...options, ...(remote ? declared.remote : {}), ...declared.shared }
}

/**
 * Which command is meant: the longest name that the words begin with, or what stands for nothing else (`flows` for
 * `flows list`). `words` are its operands; `group` is a first word that begins names.
 */
export function findCommand(declared, args) {
  const [first = '', second, ...more] = wordsOf(declared, args)
  const names = Object.keys(declared.commands)
  const two = `${first} ${second}`
  const group = names.some((name) => name.startsWith(`${first} `)) ? first : undefined
  if (names.includes(two)) return { name: two, group, words: more, standsFor: false }
  const words = second === undefined ? [] : [second, ...more]
  if (names.includes(first)) return { name: first, group, words, standsFor: false }
  const stands = second === undefined && Object.hasOwn(declared.standsFor, first)
  const name = stands ? declared.standsFor[first] : undefined
  return { name, group, words: name === undefined && group === undefined ? [first] : words, standsFor: true }
}

/** Without options and their values. */
export function wordsOf(declared, args) {
  const takesValue = namesWithValue(declared)
  const words = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]
    if (arg === '--') return [...words, ...args.slice(at + 1)]
    if (takesValue.has(arg)) at++
    else if (arg === '-' || !arg.startsWith('-')) words.push(arg)
  }
  return words
}

function namesWithValue(declared) {
  const names = new Set()
  for (const command of Object.keys(declared.commands)) {
    const options = optionsOf(declared, command)
    for (const name of Object.keys(options)) {
      if (options[name].takes === undefined) continue
      names.add(`--${name}`)
      if (options[name].short !== undefined) names.add(`-${options[name].short}`)
    }
  }
  return names
}
