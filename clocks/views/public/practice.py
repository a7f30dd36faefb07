"""A clock to practise with: one phone, any rule set's timing, and no server once the page is there."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clocks.rulebook import practice as rule_books
from clocks.views.forms.practice import PracticeForm
from clocks.wording.language import said


@require_safe
def practice(request: HttpRequest) -> HttpResponse:
    """Show the page with everything in it that it needs; what is played there is stored on the phone alone."""
    books = [{**book, "name": said(book["name"])} for book in rule_books.books()]
    data = {"books": books, "first": rule_books.first_match()}
    return render(request, "clocks/practice/page.html", {"data": data, "form": PracticeForm()})
