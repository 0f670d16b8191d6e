import { Badge, Button } from '@mantine/core'
import { Link } from 'react-router'
import { useFlows } from '../../api/flows.ts'
import { type Key, useRevokeKey } from '../../api/keys.ts'
import { useSession } from '../../api/session.ts'
import { useConfirm } from '../../design/confirm.tsx'
import { IconFolder, IconTopologyStar3, IconWorld } from '../../design/icons/page-icons.ts'
import { notifyDone, notifyProblem } from '../../design/notify.tsx'
import { RelativeTime } from '../../design/relative-time.tsx'
import { useNow } from '../../design/use-now.ts'
import { standingOf } from './key-expiry.ts'
import classes from './keys-page.module.css'

export function KeyList({ keys }: { readonly keys: readonly Key[] }) {
  const newestFirst = keys.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
  return (
    <ul className={classes.list} aria-label="Keys">
      {newestFirst.map((key) => (
        <KeyRow key={key.id} apiKey={key} />
      ))}
    </ul>
  )
}

function KeyRow({ apiKey }: { readonly apiKey: Key }) {
  const session = useSession()
  const isOurs = session?.id === apiKey.id
  return (
    <li className={classes.row}>
      <div className={classes.summary}>
        <div className={classes.line}>
          <span className={classes.name}>{apiKey.name}</span>
          <code className={classes.hint}>{apiKey.hint}</code>
          {apiKey.set_by !== null && (
            <Badge variant="light" size="sm" tt="none" color="gray">
              Set by the configuration
            </Badge>
          )}
          {isOurs && (
            <Badge variant="light" size="sm" tt="none">
              Signed in with it
            </Badge>
          )}
        </div>
        <div className={classes.line}>
          <Rights of={apiKey} />
          <Reach of={apiKey} />
        </div>
      </div>
      <dl className={classes.times}>
        <div>
          <dt>Last used</dt>
          <dd>{apiKey.last_used_at === null ? 'Never' : <RelativeTime at={apiKey.last_used_at} />}</dd>
        </div>
        <div>
          <dt>Made</dt>
          <dd>
            <RelativeTime at={apiKey.created_at} />
          </dd>
        </div>
        <div>
          <dt>Ends</dt>
          <dd>
            <Expiry at={apiKey.expires_at} />
          </dd>
        </div>
      </dl>
      {apiKey.set_by === null && <RevokeButton apiKey={apiKey} isOurs={isOurs} />}
    </li>
  )
}

function Rights({ of: { rights } }: { readonly of: Key }) {
  return (
    <span className={classes.rights}>
      {rights.map((right) => (
        <span key={right} className={classes.right}>
          {right}
        </span>
      ))}
    </span>
  )
}

/** What the key may be used for: one flow, a context and what is below it, or everything. */
function Reach({ of: { flow_id, context } }: { readonly of: Key }) {
  const { data: flows = [] } = useFlows()
  if (flow_id !== null) {
    const flow = flows.find(({ id }) => id === flow_id)
    return (
      <span className={classes.reach}>
        <IconTopologyStar3 size={14} aria-hidden />
        {flow === undefined ? 'One flow, since deleted' : <Link to={`/flows/${flow.id}`}>{flow.name}</Link>}
      </span>
    )
  }
  const isBound = context !== null && context !== '/'
  const Picture = isBound ? IconFolder : IconWorld
  return (
    <span className={classes.reach}>
      <Picture size={14} aria-hidden />
      {isBound ? `${context} and below` : 'Everything'}
    </span>
  )
}

function Expiry({ at }: { readonly at: string | null }) {
  const standing = standingOf(at, useNow())
  if (at === null) return 'Never'
  return (
    <span className={classes.expiry} data-standing={standing}>
      {standing === 'expired' && 'Expired '}
      <RelativeTime at={at} />
    </span>
  )
}

function RevokeButton({ apiKey, isOurs }: { readonly apiKey: Key; readonly isOurs: boolean }) {
  const confirm = useConfirm()
  const revoke = useRevokeKey()
  const ask = async () => {
    const yes = await confirm({
      title: `Revoke “${apiKey.name}”?`,
      body: (
        <>
          Callers that use it are refused from now on. This cannot be undone.
          {isOurs && ' You are signed in with this key: you will be signed out.'}
        </>
      ),
      action: 'Revoke',
      isDangerous: true
    })
    if (!yes) return
    // Not the mutation's own callbacks: the row may be gone before they would be called.
    revoke.mutateAsync(apiKey.id).then(() => notifyDone(`“${apiKey.name}” was revoked.`), notifyProblem)
  }
  return (
    <Button variant="default" size="xs" onClick={() => void ask()} aria-label={`Revoke ${apiKey.name}`}>
      Revoke
    </Button>
  )
}
