import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../api/api-context.ts'
import { useFlow } from '../api/flows.ts'
import { useMay } from '../api/session.ts'
import { CopyButton } from '../design/copy-button.tsx'
import classes from './flow-address.module.css'

const AddressDialog = lazy(async () => ({ default: (await import('./address-dialog.tsx')).AddressDialog }))

/** The address that callers use, which only a button changes: nothing that is typed here is live. */
export function FlowAddress({ flowId }: { readonly flowId: string }) {
  const api = useApi()
  const mayWrite = useMay('write')
  const { data: flow } = useFlow(flowId)
  const [isOpen, setOpen] = useState(false)
  if (flow === undefined) return null
  const { length: aliases } = flow.aliases ?? []
  return (
    <div>
      <div className={classes.label}>Address</div>
      <div className={classes.line}>
        <code className={classes.slug}>{flow.slug}</code>
        <CopyButton text={api.address(`webhook/${flow.slug}`)} label="Copy the address" />
        {mayWrite && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label="Change the address"
            onClick={() => setOpen(true)}
          >
            Change
          </Button>
        )}
      </div>
      {aliases > 0 && (
        <div className={classes.help}>
          {aliases === 1 ? 'One old address still works.' : `${aliases} old addresses still work.`}
        </div>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <AddressDialog flow={flow} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
