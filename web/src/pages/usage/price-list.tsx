import { Button, NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type ModelPrice, usePrices, useSetPrices } from '../../api/costs.ts'
import { useMay } from '../../api/session.ts'
import { ProblemNote } from '../../design/problem-note.tsx'
import classes from './usage-page.module.css'

/** What a million tokens cost. Folded: they are looked at now and then. */
export function PriceList() {
  const { data } = usePrices()
  const mayAdmin = useMay('admin')
  const save = useSetPrices()
  if (data === undefined) return null
  const set = data.prices.filter(({ is_set }) => is_set).map(({ is_set: _, ...price }) => price)
  const without = (model: string) => set.filter((price) => price.model !== model)
  return (
    <details className={classes.part}>
      <summary className={classes.title}>Prices per million tokens</summary>
      <p className={classes.note}>
        Those that are shipped are in {data.currency}, as published by {data.shipped_on}. What you set comes
        first.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <section className={classes.scroll} tabIndex={0} aria-label="Prices">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Input</th>
              <th scope="col">Cached input</th>
              <th scope="col">Output</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.prices.map(({ model, input, cached, output, is_set }) => (
              <tr key={model}>
                <th scope="row">{model}</th>
                <td>{input}</td>
                <td>{cached}</td>
                <td>{output}</td>
                <td>
                  {is_set && mayAdmin && (
                    <Button variant="subtle" size="compact-sm" onClick={() => save.mutate(without(model))}>
                      Remove
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {mayAdmin && (
        <PriceForm
          isSaving={save.isPending}
          onPrice={(price) => save.mutate([...without(price.model), price])}
        />
      )}
      <ProblemNote error={save.error} />
    </details>
  )
}

interface PriceFormProps {
  readonly isSaving: boolean
  readonly onPrice: (price: ModelPrice) => void
}

function PriceForm({ isSaving, onPrice }: PriceFormProps) {
  const [model, setModel] = useState('')
  const [input, setInput] = useState<number | string>('')
  const [cached, setCached] = useState<number | string>('')
  const [output, setOutput] = useState<number | string>('')
  const isWhole = model.trim() !== '' && typeof input === 'number' && typeof output === 'number'
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (!isWhole) return
    onPrice({ model: model.trim(), input, cached: typeof cached === 'number' ? cached : input, output })
  }
  return (
    <form className={classes.form} onSubmit={submit} aria-label="Set a price">
      <TextInput
        label="Model"
        maxLength={300}
        value={model}
        onChange={(event) => setModel(event.currentTarget.value)}
      />
      <NumberInput label="Input" min={0} value={input} onChange={setInput} />
      <NumberInput label="Cached input" min={0} value={cached} onChange={setCached} placeholder="As input" />
      <NumberInput label="Output" min={0} value={output} onChange={setOutput} />
      <Button type="submit" loading={isSaving} disabled={!isWhole}>
        Set price
      </Button>
    </form>
  )
}
