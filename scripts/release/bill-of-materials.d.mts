export function billOfMaterials(root: string): Promise<string>
