import type { ReachableAddresses } from './reachable-addresses.ts'
import { strings } from '@/lib/strings/devices.ts'

/** Says why another device may be unable to open these addresses. */
export function AddressNote({ addresses }: { addresses: ReachableAddresses }) {
  if (addresses.isLocalOnly) return <p className="text-muted">{strings.code.onlyHere}</p>
  if (!addresses.hasUntrustedCertificate) return null
  return <p className="text-muted">{strings.code.warns}</p>
}
