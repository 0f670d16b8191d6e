import { type JsonValue, writeJson } from '../../../../../src/flows/json/exact-json.ts'
import type { ContextFacts, Registration } from '../../../api/contexts.ts'
import classes from './settings.module.css'

/** What plugins and the host set in the context itself: it can only be changed in their code. */
export function variablesInCode({ registers, kind }: ContextFacts): Registration[] {
  if (kind === 'data') return []
  return registers.filter((each) => each.kind === 'variable' && each.owner !== BY_API)
}

interface VariablesInCodeProps {
  readonly variables: readonly Registration[]
}

export function VariablesInCode({ variables }: VariablesInCodeProps) {
  if (variables.length === 0) return null
  return (
    <fieldset className={classes.group}>
      <legend>Set in code</legend>
      <p className={classes.help}>
        These can only be changed in the code of the plugin. They go before those above.
      </p>
      <ul>
        {variables.map(({ name, value, owner }) => (
          <li key={name}>
            <code>{name}</code>: <code>{writeJson(value as JsonValue)}</code> (by {owner})
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/** How the service names the owner of what was set by the API. */
const BY_API = 'the API'
