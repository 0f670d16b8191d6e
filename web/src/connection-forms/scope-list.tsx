import classes from './sign-in-facts.module.css'

interface ScopeListProps {
  readonly scopes: readonly string[]
  /** What each lets flows do, where it is known. */
  readonly allows?: Readonly<Record<string, string>> | undefined
}

export function ScopeList({ scopes, allows = {} }: ScopeListProps) {
  return (
    <ul className={classes.scopes}>
      {scopes.map((scope) => (
        <li key={scope}>
          <code className={classes.scope}>{scope}</code>
          {Object.hasOwn(allows, scope) && ` ${allows[scope]}`}
        </li>
      ))}
    </ul>
  )
}
