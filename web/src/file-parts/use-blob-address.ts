import { useEffect, useState } from 'react'

/** An address of these bytes for as long as the part is shown. The type is one that the page has chosen, never the sender's. */
export function useBlobAddress(bytes: Uint8Array<ArrayBuffer>, type: string): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes, type])
  return address
}
