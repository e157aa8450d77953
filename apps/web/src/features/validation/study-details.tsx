import { Card } from "../../components/card.tsx";
import { VALIDATION_TEXTS as TEXTS } from "../../texts/validation.ts";

export function StudyDetails() {
  return (
    <Card title={TEXTS.studyTitle}>
      <dl className="divide-y divide-line">
        {TEXTS.study.map(([term, text]) => (
          <div key={term} className="grid gap-1 py-3 sm:grid-cols-[14rem_1fr]">
            <dt className="text-ink-3">{term}</dt>
            <dd className="max-w-prose font-medium">{text}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
