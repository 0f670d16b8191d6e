import type { RequestFacts } from '../../../api/shapes.ts'
import classes from './details.module.css'

/** What came with the request besides its payload. Keys and signatures are never kept. */
export function RequestView({ request }: { readonly request: RequestFacts }) {
  const query = Object.entries(request.query)
  return (
    <>
      <p className={classes.requestLine}>
        <code>{request.method}</code> from <code>{request.address}</code>
      </p>
      {query.length > 0 && (
        <Pairs title="Query" pairs={query.map(([name, value]) => [name, [value].flat().join(', ')])} />
      )}
      <Pairs title="Headers" pairs={Object.entries(request.headers)} />
    </>
  )
}

interface PairsProps {
  readonly title: string
  readonly pairs: readonly (readonly [name: string, value: string])[]
}

export function Pairs({ title, pairs }: PairsProps) {
  return (
    <>
      <h3 className={classes.subtitle}>{title}</h3>
      <dl className={classes.pairs}>
        {pairs.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
