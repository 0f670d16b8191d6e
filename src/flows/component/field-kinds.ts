import type { JsonValue } from '../json/exact-json.ts'

/** What a person sets on a node, by kind: each is drawn and checked in its own way. */
interface FieldBase {
  readonly title: string
  readonly help?: string
  readonly placeholder?: string
  /** Rare: folded under Controls. */
  readonly hidden?: boolean
  /** Shown with a button that copies it. */
  readonly copy?: boolean
  /** Filled by the page and never edited, such as the endpoint of a webhook. */
  readonly readonly?: boolean
}

export interface TextField extends FieldBase {
  readonly kind: 'text'
  readonly default?: string
  readonly multiline?: boolean
  /** It is code, edited as such. `{$name}` is no variable in it, since it means something else there. */
  readonly language?: 'javascript' | 'jsonata'
  /** It is a condition in CEL. */
  readonly condition?: boolean
  /** It names a key of the data, or a path to one: the page offers those that came last. */
  readonly path?: boolean
}
export interface TemplateField extends FieldBase {
  /** Text with `{key}` variables: edited with completion, checked when the flow is saved. */
  readonly kind: 'template'
  readonly default?: string
  /** It reads what a call answers, and no data. */
  readonly answer?: boolean
}
export interface SecretField extends FieldBase {
  readonly kind: 'secret'
  readonly default?: string
}
export interface NumberField extends FieldBase {
  readonly kind: 'number'
  readonly default?: number
  readonly min?: number
  readonly max?: number
  readonly integer?: boolean
}
export interface BooleanField extends FieldBase {
  readonly kind: 'boolean'
  readonly default?: boolean
}
export interface ChoiceField extends FieldBase {
  readonly kind: 'choice'
  readonly choices: readonly string[]
  readonly default?: string
}
export interface JsonField extends FieldBase {
  readonly kind: 'json'
  readonly default?: JsonValue
}
export interface ListField extends FieldBase {
  /** Texts, in order. */
  readonly kind: 'list'
  readonly default?: readonly string[]
  /** What one of them is called: "case". */
  readonly item?: string
  /** Each is one of these, and none of them is there twice. */
  readonly choices?: readonly string[]
  /** Each names a key of the data, or a path to one. */
  readonly path?: boolean
  readonly maxItems?: number
}
/** One member of the objects in a field of the kind `rows`. */
export interface RowColumn {
  readonly title: string
  readonly placeholder?: string
  /** It names a key of the data, or a path to one: the page offers those that came last. */
  readonly path?: boolean
  /** The input that its keys are those of, where the node has several. */
  readonly input?: string
  /** One of these, the first by itself; otherwise it is text that may be empty. */
  readonly choices?: readonly string[]
}
export interface RowsField extends FieldBase {
  /** Objects of texts, in order: a table that is filled in row by row. A text alone is a row with its first column. */
  readonly kind: 'rows'
  readonly columns: Readonly<Record<string, RowColumn>>
  readonly default?: readonly Readonly<Record<string, string>>[]
  /** What one of them is called: "key". */
  readonly item?: string
  readonly maxItems?: number
}
export interface ConnectionField extends FieldBase {
  /** The name of a connection; empty where none was chosen. The flow's context decides at run time which one it is. */
  readonly kind: 'connection'
  readonly default?: string
  /** The kinds of connection that fit. */
  readonly kinds: readonly string[]
  /** The component can do without one. */
  readonly optional?: boolean
}

export type Field =
  | TextField
  | TemplateField
  | SecretField
  | NumberField
  | BooleanField
  | ChoiceField
  | JsonField
  | ListField
  | RowsField
  | ConnectionField

export type Fields = Readonly<Record<string, Field>>

/** The value that a field has in a step: what the flow says, else the default, else the empty value of its kind. */
export type FieldValue<F extends Field> = F extends NumberField
  ? number
  : F extends BooleanField
    ? boolean
    : F extends ChoiceField
      ? F['choices'][number]
      : F extends JsonField
        ? JsonValue
        : F extends ListField
          ? readonly string[]
          : F extends RowsField
            ? readonly RowOf<F['columns']>[]
            : string

type RowOf<C extends RowsField['columns']> = {
  readonly [K in keyof C]: C[K] extends { readonly choices: readonly (infer Choice)[] } ? Choice : string
}

export type FieldValues<F extends Fields> = { readonly [K in keyof F]: FieldValue<F[K]> }
