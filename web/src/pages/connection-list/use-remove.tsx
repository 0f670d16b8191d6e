import { isWithin } from '../../../../src/contexts/context-path.ts'
import { words } from '../../../../src/flows/template/plain-words.ts'
import { useDeleteConnection, useUndeleteConnection } from '../../api/connections.ts'
import { useConfirm } from '../../design/confirm.tsx'
import { notifyDone, notifyProblem } from '../../design/notify.tsx'
import classes from './connections-page.module.css'
import { flowsOf, type ListedConnection } from './find-connections.ts'

/** Deletes a connection after a question that names the flows which use it. */
export function useRemove(listed: ListedConnection, all: readonly ListedConnection[]): () => void {
  const confirm = useConfirm()
  const remove = useDeleteConnection()
  const undelete = useUndeleteConnection()
  const { id, name, context } = listed.connection
  const ask = async () => {
    const isSure = await confirm({
      title: words`Delete “${name}” in ${context}?`,
      body: <WhatHappens listed={listed} next={nextOf(listed, all)} />,
      action: 'Delete',
      isDangerous: true
    })
    if (!isSure) return
    await remove.mutateAsync(id).then(() => {
      const undo = () => void undelete.mutateAsync(id).catch(notifyProblem)
      notifyDone(words`“${name}” of ${context} was deleted.`, undo)
    }, notifyProblem)
  }
  return () => void ask()
}

/** The one of the same name further up that its flows would use then. */
function nextOf({ connection }: ListedConnection, all: readonly ListedConnection[]): string | undefined {
  const above = all
    .map((one) => one.connection)
    .filter(({ id, name, context }) => {
      return id !== connection.id && name === connection.name && isWithin(connection.context, context)
    })
  return above.sort((a, b) => b.context.length - a.context.length)[0]?.context
}

function WhatHappens({
  listed,
  next
}: {
  readonly listed: ListedConnection
  readonly next: string | undefined
}) {
  const flows = flowsOf(listed.uses)
  const { name } = listed.connection
  return (
    <>
      {flows.length > 0 && (
        <>
          <p className={classes.warning}>
            {flows.length === 1 ? 'A flow uses it. Its' : `${flows.length} flows use it. Their`} steps
            {next === undefined
              ? ' will fail until a connection with this name exists again:'
              : ` will use “${name}” of ${next} instead:`}
          </p>
          <ul className={classes.warned}>
            {flows.map((flow) => (
              <li key={flow.id}>
                {flow.name}{' '}
                <span className={classes.secondary}>
                  in {flow.context}
                  {flow.isDraft && ', its draft'}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      It can be brought back for 30 days, with its secrets.
    </>
  )
}
