export function openResources(): string[]
