/** The script or the style of a page did not arrive: the service is gone, or serves a newer page by now. */
export class PartNotLoaded extends Error {
  constructor(cause: unknown) {
    super('A part of the page could not be loaded.', { cause })
    this.name = 'PartNotLoaded'
  }
}
