import type { RequestFacts } from '../../../../../../src/flows/component/component.ts'
import { wheelInside } from '../wheel-inside.ts'
import classes from './landed-request.module.css'

interface RequestHeadersProps {
  readonly request: RequestFacts | null
  readonly label: string
}

/** Headers that carry a key are never stored, so they are never here. */
export function RequestHeaders({ request, label }: RequestHeadersProps) {
  if (request === null) {
    return <p className={classes.empty}>No request started this run.</p>
  }
  const { method, address, query, headers } = request
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard.
    <section className={classes.headers} tabIndex={0} aria-label={label} {...wheelInside}>
      <dl>
        <Fact name="Method" value={method} />
        <Fact name="From" value={address} />
        {Object.entries(query).map(([name, value]) => (
          <Fact key={`?${name}`} name={`?${name}`} value={[value].flat().join(', ')} />
        ))}
        {Object.entries(headers).map(([name, value]) => (
          <Fact key={name} name={name} value={String(value)} />
        ))}
      </dl>
    </section>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
