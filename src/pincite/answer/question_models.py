"""Choose the models of a question, and record the requests that are made to them."""

from dataclasses import replace

from pincite.accounts.spending_record import SpendingRecord
from pincite.answer.question import AskedQuestion
from pincite.llm.model_roles import ChosenModel, Models, Roles
from pincite.llm.providers import EXTRACTIVE


def choose_models(models: Models, asked: AskedQuestion, spending: SpendingRecord) -> Roles:
    """Return the models of a question, with their requests recorded in `spending`."""
    roles = _set_tools(models.roles(asked.chat_model, asked.system_model), asked)
    chat = meter_model(roles.chat, spending)
    system = chat if roles.system is roles.chat else roles.system and meter_model(roles.system, spending)
    return Roles(chat, system)


def meter_model(chosen: ChosenModel, spending: SpendingRecord) -> ChosenModel:
    """Return a model with its requests recorded in `spending`."""
    if chosen.model is None:
        return chosen
    from pincite.llm.metered_model import MeteredModel  # the agent framework, which a language model has imported

    return replace(chosen, model=MeteredModel(chosen.model, chosen.name, spending))


def _set_tools(roles: Roles, asked: AskedQuestion) -> Roles:
    """Return models with or without tools, as the question asks. The extractive one always has tools."""
    if asked.use_tools is None or roles.chat.name == EXTRACTIVE:
        return roles
    system = roles.system
    if system and not asked.use_tools:
        system = replace(system, tools=False)
    return Roles(replace(roles.chat, tools=asked.use_tools), system)
