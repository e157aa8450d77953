import { REGISTER_PASSWORD_RULES } from "@stipple/contract/business/passwords";
import { Check, Circle } from "lucide-react";
import { joinClasses } from "../../components/join-classes.ts";
import { REGISTER_TEXTS } from "./texts.ts";

/** Which of the password requirements the text meets, as it is typed. */
export function PasswordChecklist({ password }: { password: string }) {
  return (
    <div className="rounded-control bg-raised px-4 py-3">
      <p className="text-[0.8125rem] font-medium">{REGISTER_TEXTS.requirements}</p>
      <ul className="mt-2 space-y-1">
        {REGISTER_PASSWORD_RULES.map((rule) => {
          const met = rule.test(password);
          const Icon = met ? Check : Circle;
          return (
            <li
              key={rule.id}
              className={joinClasses(
                "flex items-center gap-2 text-[0.8125rem]",
                met ? "text-ok" : "text-ink-2",
              )}
            >
              <Icon aria-hidden className={joinClasses("size-4 shrink-0", !met && "scale-50")} />
              <span>{rule.label}</span>
              <span className="sr-only">({met ? REGISTER_TEXTS.met : REGISTER_TEXTS.notMet})</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
