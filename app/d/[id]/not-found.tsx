import { MissingDocument } from '@/components/ui/face'

export default function NotFound() {
  return <MissingDocument />
}
