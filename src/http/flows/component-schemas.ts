import { PORT_TYPES } from '../../flows/component/ports.ts'
import { count } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'

/** What the API tells of a component: all that a page needs to draw a node of it. */

/** What a plugin writes as the bound of a field is a number of JavaScript. */
const Bound = Type.Number({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE })

const Field = Type.Object({
  kind: Type.Enum([
    'text',
    'template',
    'secret',
    'number',
    'boolean',
    'choice',
    'json',
    'list',
    'rows',
    'connection'
  ]),
  title: Type.String(),
  default: Type.Unknown(),
  help: Type.Optional(Type.String()),
  placeholder: Type.Optional(Type.String()),
  hidden: Type.Optional(Type.Boolean({ description: 'Not shown on the node until Controls is chosen' })),
  copy: Type.Optional(Type.Boolean({ description: 'Shown with a button that copies it' })),
  readonly: Type.Optional(Type.Boolean({ description: 'Filled by the page and never edited' })),
  multiline: Type.Optional(Type.Boolean()),
  language: Type.Optional(Type.Enum(['javascript', 'jsonata'], { description: 'It is code' })),
  condition: Type.Optional(Type.Boolean({ description: 'It is a condition in CEL' })),
  answer: Type.Optional(Type.Boolean({ description: 'Its template reads what a call answers, and no data' })),
  choices: Type.Optional(Type.Array(Type.String())),
  kinds: Type.Optional(Type.Array(Type.String(), { description: 'Kinds of connection that fit' })),
  optional: Type.Optional(Type.Boolean({ description: 'The component can do without the connection' })),
  item: Type.Optional(
    Type.String({ description: 'What one text of the list, or one of the rows, is called' })
  ),
  path: Type.Optional(Type.Boolean({ description: 'It names a key of the data, or a path to one' })),
  columns: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({
        title: Type.String(),
        placeholder: Type.Optional(Type.String()),
        path: Type.Optional(Type.Boolean({ description: 'It names a key of the data, or a path to one' })),
        input: Type.Optional(Type.String({ description: 'The input that its keys are those of' })),
        choices: Type.Optional(Type.Array(Type.String()))
      }),
      { description: 'The members of each of the rows: texts' }
    )
  ),
  maxItems: Type.Optional(count()),
  min: Type.Optional(Bound),
  max: Type.Optional(Bound),
  integer: Type.Optional(Type.Boolean())
})

export const PortMap = Type.Record(
  Type.String(),
  Type.Object({
    title: Type.String(),
    type: Type.Enum(PORT_TYPES),
    help: Type.Optional(Type.String())
  })
)

export const Component = Type.Object({
  type: Type.String(),
  title: Type.String(),
  description: Type.String(),
  category: Type.String(),
  icon: Nullable(Type.String()),
  keywords: Type.Array(Type.String(), { description: 'What people call it elsewhere, for searches' }),
  example: Nullable(Type.String({ description: 'One use of it, in a sentence' })),
  context: Type.String({ description: 'Path of the context that it is registered in' }),
  owner: Type.String({ description: 'The plugin that registered it' }),
  effects: Type.Enum(['pure', 'external']),
  placeholder: Type.Boolean({
    description: 'It stands for an imported node that is to be replaced: nobody chooses it'
  }),
  trigger: Nullable(Type.String({ description: 'What starts a flow through it' })),
  fields: Type.Record(Type.String(), Field),
  main_fields: Type.Array(Type.String(), {
    description: 'The fields that matter most, to be edited on the node itself'
  }),
  inputs: PortMap,
  inputs_from_template: Nullable(
    Type.String({ description: 'The field whose template has a variable for each input' })
  ),
  has_dynamic_inputs: Type.Boolean({
    description: 'Inputs follow from the fields; POST /api/v1/components/{type}/inputs tells which'
  }),
  inputs_from_count: Nullable(
    Type.String({ description: 'The field that says how many inputs in_1, in_2 … there are' })
  ),
  outputs: PortMap,
  outputs_from_list: Nullable(
    Type.String({
      description: 'The field whose texts are outputs, named in the manner of a slug, before those in outputs'
    })
  ),
  region: Nullable(
    Type.Object(
      { inputs: PortMap, outputs: PortMap },
      { description: 'It holds nodes: the ports of its inside, which are wired to those nodes only' }
    )
  )
})
