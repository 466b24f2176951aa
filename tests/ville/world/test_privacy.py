"""Laws of privacy: a place that is named after people is theirs, and no one else's."""

import pytest

from ville.world.privacy import may_use


@pytest.mark.parametrize(
    ("place", "residents", "others"),
    [
        ("Ada Stone's house", ["Ada Stone"], ["Ben Reed", "Ada Moore", "Ben Stone"]),
        ("Lin family's house", ["Mei Lin", "Eddy Lin"], ["Linda Reed"]),
        ("Mei and John Lin's bedroom", ["Mei Lin", "John Lin"], ["Eddy Lin", "John Reed"]),
        ("Tamara Taylor and Carmen Ortiz's house", ["Tamara Taylor", "Carmen Ortiz"], ["Tamara Ortiz"]),
        ("Latoya Williams’s bathroom", ["Latoya Williams"], ["Rajiv Patel"]),
        ("Ada's flat", ["Ada Stone", "Ada Reed"], ["Ben Stone"]),
        ("Cleo Adams Moor's dark room", ["Cleo Adams Moor"], ["Cleo Adams"]),
        ("Ada and Ben's flat", ["Ada Stone", "Ben Reed"], ["Cy Doe"]),
        ("Ada, Ben & Cy Reed's flat", ["Ada Reed", "Ben Reed", "Cy Reed"], ["Ada Stone"]),
        ("The Lin Family's House", ["Mei Lin"], ["Ben Reed"]),
        ("Dr. Ada Stone's house", ["Ada Stone"], ["Ben Stone"]),
        ("Women's Bathroom", ["Ada Stone"], []),
        ("Students' Room", ["Ben Reed"], []),
        ("artist's co-living space", ["Ben Reed"], []),
        ("man's bathroom", ["Ada Stone", "Ben Reed"], []),
        ("Ada's Bakery", ["Ben Reed"], []),
        ("House of Cards", ["Ben Reed"], []),
        ("common room", ["Ben Reed"], []),
        ("комната Анны", ["Анна Смирнова", "Анна Лин"], ["Антон Лин", "Мария Смирнова"]),
        ("Квартира Павла Лопеса", ["Павел Лопес"], ["Паола Лопес", "Павел Лин"]),
        ("Дом Смирновых", ["Анна Смирнова", "Павел Смирнов"], ["Антон Лин"]),
        ("дом семьи Лин", ["Мей Лин", "Антон Лин"], ["Павел Лопес"]),
        ("спальня Марии и Павла Смирновых", ["Мария Смирнова", "Павел Смирнов"], ["Марина Смирнова", "Павел Лин"]),
        ("ванная комната Игоря", ["Игорь Лин"], ["Инга Лин"]),
        ("ванная", ["Антон Лин"], []),
        ("комната отдыха", ["Антон Лин"], []),
        ("Дом культуры", ["Антон Лин"], []),
        ("Комната 12", ["Антон Лин"], []),
        ("Кафе Анны", ["Антон Лин"], []),
    ],
)
def test_only_those_named_may_use_a_place(place, residents, others):
    """A family by its name, several people by theirs; what names no person is public, and so is a shop."""
    assert [name for name in [*residents, *others] if may_use(place, name)] == residents
