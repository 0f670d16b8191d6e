// Which words may come next after `millrace`, made of what is declared, and the few lines that let a shell ask for them.
import { findCommand, optionsOf, readDeclared } from './declared.mjs'

/**
 * What follows the words, the last of which is being typed: `words` with what each does; or `ask`, the kind of names that only a
 * service or a file knows. Undefined where nothing is known to follow, such as for a text.
 */
export function nextWords(declared, typed) {
  const before = typed.slice(0, -1)
  const current = typed[typed.length - 1] || ''
  const { name, group, words, standsFor } = findCommand(declared, before)
  const option = name === undefined ? undefined : optionBefore(declared, name, before[before.length - 1])
  if (option !== undefined) return valuesOf(option)
  if (current.startsWith('-') && name !== undefined) return { words: optionWords(optionsOf(declared, name)) }
  if (name === undefined || standsFor)
    return group === undefined && words.length > 0 ? undefined : commandWords(declared, group)
  const { operands = {} } = declared.commands[name]
  const operand = operands[Object.keys(operands)[words.length]]
  return operand === undefined ? { words: optionWords(optionsOf(declared, name)) } : valuesOf(operand)
}

function optionBefore(declared, name, word) {
  const options = optionsOf(declared, name)
  const found = Object.keys(options).find(
    (each) =>
      word === `--${each}` || (options[each].short !== undefined && word === `-${options[each].short}`)
  )
  return found !== undefined && options[found].takes !== undefined ? options[found] : undefined
}

function valuesOf({ choices, from }) {
  if (choices !== undefined) return { words: choices.map((choice) => [choice, '']) }
  return from === undefined ? undefined : { ask: from }
}

function optionWords(options) {
  return Object.keys(options).map((each) => [`--${each}`, options[each].does])
}

/** First words of names, or the second ones of a group. */
function commandWords(declared, group) {
  const names = Object.keys(declared.commands).filter((name) => !declared.commands[name].hidden)
  const found = new Map()
  for (const name of names) {
    const [first, second] = name.split(' ')
    if (group !== undefined && first === group && second !== undefined)
      found.set(second, declared.commands[name].does)
    if (group === undefined)
      found.set(first, second === undefined ? declared.commands[name].does : `${first} …`)
  }
  return { words: [...found] }
}

/** What to print where that needs nothing but the declaration; undefined where a service or a file has to be asked. */
export function completionFor(args) {
  if (args[0] === 'completion' && Object.hasOwn(SCRIPTS, args[1] || '')) return SCRIPTS[args[1]]
  if (args[0] !== 'complete') return undefined
  const declared = readDeclared()
  const next = nextWords(declared, typedOf(args))
  if (next !== undefined && next.ask === 'commands') return lines(commandWords(declared))
  if (next !== undefined && next.ask !== undefined && next.ask !== 'files') return undefined
  return next === undefined || next.words === undefined ? '' : lines(next)
}

/** What comes after `complete --`. */
export function typedOf(args) {
  return args.slice(args[1] === '--' ? 2 : 1)
}

function lines({ words }) {
  return words.map(([word, does]) => `${word}\t${does.split('. ')[0]}\n`).join('')
}

const BASH = `_millrace() {
  local current="\${COMP_WORDS[COMP_CWORD]}" word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    [[ -n $word && $word == "$current"* ]] && COMPREPLY+=("$(printf %q "$word")")
  done < <(millrace complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _millrace millrace
`

const ZSH = `#compdef millrace
_millrace() {
  local -a found
  local word does
  while IFS=$'\\t' read -r word does; do
    [[ -n $word ]] && found+=("\${word//:/\\\\:}:$does")
  done < <(millrace complete -- "\${(@)words[2,$CURRENT]}" 2>/dev/null)
  if (( $#found )); then _describe millrace found; else _files; fi
}
if [[ $funcstack[1] == _millrace ]]; then _millrace "$@"; else compdef _millrace millrace; fi
`

const FISH = `function __millrace_complete
  set -l typed (commandline -opc) (commandline -ct)
  set -l found (millrace complete -- $typed[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c millrace -f -a '(__millrace_complete)'
`

const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH }
