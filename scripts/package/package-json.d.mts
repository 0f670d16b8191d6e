export interface PublishedPackageJson {
  readonly name: string
  readonly version: string
  readonly bin: { readonly millrace: string }
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>
}

export function publishedPackageJson(own: object, imported: ReadonlySet<string>): PublishedPackageJson
