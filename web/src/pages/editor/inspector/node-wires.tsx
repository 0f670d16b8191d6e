import { useState } from 'react'
import { IconX } from '../../../design/icons/page-icons.ts'
import { PortMark } from '../../../design/port-mark.tsx'
import type { Command } from '../../../editor/commands/command.ts'
import { type Edge, endText, findNode, nodeOfEnd } from '../../../editor/graph/flow.ts'
import type { DrawnPort } from '../../../editor/wiring/drawn-ports.ts'
import { portsThatFit } from '../../../editor/wiring/judge-wire.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import fields from '../fields/fields.module.css'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { WireValue } from '../wire-values/wire-value.tsx'
import values from '../wire-values/wire-values.module.css'
import classes from './part.module.css'

/** The ports of a node with what they are wired to, and all that they could be wired to. */
export function NodeWires({ drawn }: { readonly drawn: DrawnNode }) {
  const { node, inputs, outputs } = drawn
  return (
    <>
      {inputs.length > 0 && (
        <div className={classes.ports}>
          <h3>Inputs</h3>
          {inputs.map((port) => (
            <InputWires key={port.name} node={node.id} port={port} />
          ))}
        </div>
      )}
      {outputs.length > 0 && (
        <div className={classes.ports}>
          <h3>Outputs</h3>
          {outputs.map((port) => (
            <OutputWires key={port.name} node={node.id} port={port} />
          ))}
        </div>
      )}
    </>
  )
}

interface PortProps {
  readonly node: string
  readonly port: DrawnPort
}

/** What leads to an input, the one that counts first; another one can be chosen for each, and one more be added. */
function InputWires({ node, port: { name, port, fedBy, wires, isGone } }: PortProps) {
  const editor = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const offered = useFitting({ node, port: name, side: 'input' })
  const to = endText({ node, port: name })
  const present = wires ?? (fedBy === undefined ? [] : [fedBy])
  const free = offered.filter((from) => !present.some((edge) => edge.from === from))
  const connect = (from: string) => editor.execute({ kind: 'connect', edge: { from, to } })
  const change = (edge: Edge, from: string) =>
    editor.execute(from === '' ? { kind: 'disconnect', edge } : { kind: 'reconnect', edge, as: { from, to } })
  return (
    <div className={classes.port}>
      <span className={classes.portName}>
        <PortMark type={port.type} /> {port.title}
        {isGone && <span className={classes.gone}>gone</span>}
      </span>
      {present.length === 0 && (
        <WireChoice label={`Wire into ${port.title}`} value="" options={offered} onChange={connect} />
      )}
      {present.map((edge, at) => (
        <div key={edge.from}>
          <WireChoice
            label={at === 0 ? `Wire into ${port.title}` : `Wire ${at + 1} into ${port.title}`}
            value={edge.from}
            options={[edge.from, ...free]}
            onChange={(from) => change(edge, from)}
          />
          <LastWireValue edge={edge} label={`the wire from ${edge.from}`} />
          {!isReadOnly && at > 0 && (
            <button
              type="button"
              className={classes.last}
              aria-label={`Take the wire from ${edge.from} first`}
              onClick={() => editor.execute(takeFirst(present, edge))}
            >
              Take it first
            </button>
          )}
        </div>
      ))}
      {present.length > 0 && free.length > 0 && !isReadOnly && !isGone && (
        <WireChoice
          label={`Connect another wire to ${port.title}`}
          value=""
          none="Another wire…"
          options={free}
          onChange={connect}
        />
      )}
    </div>
  )
}

/** The others are put behind it, in their order. */
function takeFirst(wires: readonly Edge[], first: Edge): Command {
  const others = wires.filter((edge) => edge !== first)
  return {
    kind: 'all',
    commands: others.flatMap((edge): Command[] => [
      { kind: 'disconnect', edge },
      { kind: 'connect', edge }
    ]),
    label: 'Order wires'
  }
}

interface WireChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly string[]
  readonly none?: string
  readonly onChange: (from: string) => void
}

function WireChoice({ label, value, options, none = 'Nothing', onChange }: WireChoiceProps) {
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const describe = useEndWords()
  return (
    <select
      className={fields.control}
      aria-label={label}
      value={value}
      disabled={isReadOnly}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{none}</option>
      {options.map((end) => (
        <option key={end} value={end}>
          {describe(end)}
        </option>
      ))}
    </select>
  )
}

function OutputWires({ node, port: { name, port } }: PortProps) {
  const editor = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const edges = useEditorState(({ flow }) => flow.edges)
  const describe = useEndWords()
  const from = endText({ node, port: name })
  const wires = edges.filter((edge) => edge.from === from)
  const offered = useFitting({ node, port: name, side: 'output' }).filter(
    (to) => !wires.some((edge) => edge.to === to)
  )
  return (
    <div className={classes.port}>
      <span className={classes.portName}>
        <PortMark type={port.type} /> {port.title}
      </span>
      {wires.length > 0 && (
        <ul className={classes.wires} aria-label={`Wires from ${port.title}`}>
          {wires.map((edge) => (
            <WireRow key={edge.to} edge={edge} label={describe(edge.to)} />
          ))}
        </ul>
      )}
      {!isReadOnly && (
        <select
          className={fields.control}
          aria-label={`Connect ${port.title} to`}
          value=""
          disabled={offered.length === 0}
          onChange={({ target }) => editor.execute({ kind: 'connect', edge: { from, to: target.value } })}
        >
          <option value="">{offered.length === 0 ? 'No input fits' : 'Connect to…'}</option>
          {offered.map((end) => (
            <option key={end} value={end}>
              {describe(end)}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

function WireRow({ edge, label }: { readonly edge: Edge; readonly label: string }) {
  const editor = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  return (
    <li>
      <div className={classes.wire}>
        <span>{label}</span>
        {!isReadOnly && (
          <button
            type="button"
            className={fields.tool}
            aria-label={`Remove the wire to ${label}`}
            onClick={() => editor.execute({ kind: 'disconnect', edge })}
          >
            <IconX size={14} aria-hidden />
          </button>
        )}
      </div>
      <LastWireValue edge={edge} label={`the wire to ${label}`} />
    </li>
  )
}

/** What a pointer finds out by resting on the wire. */
function LastWireValue({ edge, label }: { readonly edge: Edge; readonly label: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={classes.last}
        aria-expanded={isOpen}
        aria-label={`Last value of ${label}`}
        onClick={() => setOpen(!isOpen)}
      >
        Last value
      </button>
      {isOpen && (
        <div className={values.inline}>
          <WireValue edge={edge} />
        </div>
      )}
    </>
  )
}

function useFitting(handle: Parameters<typeof portsThatFit>[2]): string[] {
  const flow = useEditorState((state) => state.flow)
  const catalogue = useEditorState((state) => state.catalogue)
  return [...portsThatFit(flow, catalogue, handle)]
}

/** "Parser · parsed_text (parser-1)": what a person calls it first, what it is called in the document last. */
function useEndWords(): (end: string) => string {
  const flow = useEditorState((state) => state.flow)
  const catalogue = useEditorState((state) => state.catalogue)
  return (end) => {
    const id = nodeOfEnd(end)
    const node = findNode(flow, id)
    return node === undefined ? end : `${catalogue.titleOf(node)} · ${end.slice(id.length + 1)} (${id})`
  }
}
