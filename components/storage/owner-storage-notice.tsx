import { useOwnProfile } from '@/components/profile/own-profile.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'

const loadNotice = () => import('./editor-storage-notice.tsx')
const noProps = {}

/** Shows the owner of a document that their space is nearly full. */
export function OwnerStorageNotice() {
  const { profile } = useOwnProfile()
  return profile?.isNearlyFull && <LazyComponent load={loadNotice} props={noProps} />
}
