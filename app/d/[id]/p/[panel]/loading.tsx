import { OpeningView } from '@/components/opening/opening-view.tsx'

export default function Loading() {
  return <OpeningView />
}
