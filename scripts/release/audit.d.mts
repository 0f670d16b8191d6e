export function askAudit(root: string): Promise<readonly string[] | 'unknown'>
export function readAudit(text: string): readonly string[] | 'unknown'
