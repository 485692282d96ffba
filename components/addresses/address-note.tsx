import type { ReachableAddresses } from './reachable-addresses.ts'
import { devicesStrings } from '@/lib/strings/devices.ts'

/** Says why another device may be unable to open these addresses. */
export function AddressNote({ addresses }: { addresses: ReachableAddresses }) {
  if (addresses.isLocalOnly) return <p className="text-muted">{devicesStrings.code.onlyHere}</p>
  if (!addresses.hasUntrustedCertificate) return null
  return <p className="text-muted">{devicesStrings.code.warns}</p>
}
